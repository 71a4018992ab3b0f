// Values that differ from a given one in one place: a member left out, a type swapped, a member added,
// a bound met and crossed. Most are invalid; that is what they are for.
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { setMember } from "../../lib/schema/member.ts";
import { walkSchemas } from "../../lib/schema/walk.ts";

export type MutantKind = "left-out" | "added" | "swapped" | "bound";

export interface Mutant {
  readonly kind: MutantKind;
  /** The value is made when it is asked for: there are more mutants than anybody tries. */
  make(): unknown;
}

/** What the bounds, enums and constants of a schema make worth trying. */
export interface Boundaries {
  readonly numbers: readonly number[];
  readonly strings: readonly string[];
  readonly lengths: readonly number[];
}

const LONGEST = 5000;

export function boundariesOf(schema: unknown): Boundaries {
  const numbers = new Set<number>([0, -1, 1.5, 2 ** 53, -(2 ** 53) - 2, 1e300]);
  const strings = new Set<string>(["", "no such value"]);
  const lengths = new Set<number>();
  walkSchemas(schema, (inner) => {
    for (const keyword of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
      const bound = inner[keyword];
      if (typeof bound === "number") for (const by of [-1, 0, 1]) numbers.add(bound + by);
    }
    for (const keyword of ["minLength", "maxLength", "minItems", "maxItems"]) {
      const bound = inner[keyword];
      if (typeof bound !== "number" || bound > LONGEST) continue;
      for (const by of [-1, 0, 1]) if (bound + by >= 0) lengths.add(bound + by);
    }
    const listed = Array.isArray(inner.enum) ? inner.enum : [inner.const];
    for (const value of listed) {
      if (typeof value === "string") strings.add(value).add(value.toUpperCase());
      if (typeof value === "number") numbers.add(value).add(value + 1);
    }
  });
  return { numbers: [...numbers], strings: [...strings], lengths: [...lengths] };
}

const OF_EACH_TYPE: readonly unknown[] = [null, true, 7, 1.5, "text", [], {}, ["text"], { a: 1 }];

/** Every value that differs from `value` in one place. */
export function mutantsOf(value: unknown, boundaries: Boundaries): Mutant[] {
  const mutants: Mutant[] = [];
  collect(value, boundaries, (kind, make) => mutants.push({ kind, make }));
  return mutants;
}

type Emit = (kind: MutantKind, make: () => unknown) => void;

function collect(value: unknown, boundaries: Boundaries, emit: Emit): void {
  for (const other of OF_EACH_TYPE) emit("swapped", () => other);
  if (typeof value === "number") for (const other of boundaries.numbers) emit("bound", () => other);
  else if (typeof value === "string") collectStrings(value, boundaries, emit);
  else if (Array.isArray(value)) collectArrays(value, boundaries, emit);
  else if (isObject(value)) collectObjects(value, boundaries, emit);
}

function collectStrings(value: string, boundaries: Boundaries, emit: Emit): void {
  for (const other of boundaries.strings) emit("bound", () => other);
  for (const length of boundaries.lengths)
    emit("bound", () => value.padEnd(length, "x").slice(0, length));
  emit("bound", () => `${value}!`);
}

function collectArrays(value: readonly unknown[], boundaries: Boundaries, emit: Emit): void {
  emit("left-out", () => value.slice(1));
  emit("added", () => [...value, "added"]);
  if (value.length > 0) {
    emit("added", () => [...value, value[0]]);
    for (const length of boundaries.lengths) {
      emit("bound", () => Array.from({ length }, (_, index) => value[index % value.length]));
    }
  }
  for (const [index, item] of value.entries()) {
    collect(item, boundaries, (kind, make) => emit(kind, () => value.with(index, make())));
  }
}

function collectObjects(value: JsonObject, boundaries: Boundaries, emit: Emit): void {
  for (const extra of ["added", "constructor", "default"]) {
    if (!Object.hasOwn(value, extra)) emit("added", () => withMember(value, extra, 1));
  }
  emit("added", () => withMember(value, "added", { a: ["text"] }));
  for (const name of Object.keys(value)) {
    emit("left-out", () => withoutMember(value, name));
    collect(value[name], boundaries, (kind, make) =>
      emit(kind, () => withMember(value, name, make())),
    );
  }
}

function withMember(value: JsonObject, name: string, member: unknown): JsonObject {
  const changed: JsonObject = {};
  for (const other of Object.keys(value)) setMember(changed, other, value[other]);
  setMember(changed, name, member);
  return changed;
}

function withoutMember(value: JsonObject, name: string): JsonObject {
  const changed: JsonObject = {};
  for (const other of Object.keys(value)) {
    if (other !== name) setMember(changed, other, value[other]);
  }
  return changed;
}
