// Writing members into objects that came from JSON. Pure.

/** Sets an own member under any name: `__proto__` must not reach the prototype. */
export function setMember(
  object: { [member: string]: unknown },
  member: string,
  value: unknown,
): void {
  if (member === "__proto__") {
    Object.defineProperty(object, member, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[member] = value;
  }
}
