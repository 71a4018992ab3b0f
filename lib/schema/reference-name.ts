// How a `$ref` is written for a model: by the definition's name, or by the place it repeats. Pure.
import { pointerSteps } from "./reference.ts";
import { renderName } from "./type-text.ts";
import { visibleText } from "./visible-text.ts";

/** `#/$defs/Point` is `Point`, `#/properties/a/items/properties/b` is `same as a[].b`. */
export function renderReference(reference: string): string {
  if (reference === "#") return "same as the whole";
  if (!reference.startsWith("#/")) return `$ref ${visibleText(reference)}`;
  const steps = pointerSteps(reference.slice(1));
  const [place, name, ...more] = steps;
  if ((place === "$defs" || place === "definitions") && name !== undefined && more.length === 0) {
    return renderName(name);
  }
  const path = renderPath(steps);
  return path === undefined ? `same as ${visibleText(reference)}` : `same as ${path}`;
}

function renderPath(steps: readonly string[]): string | undefined {
  let path = "";
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index];
    if (step === "items") {
      path += "[]";
    } else if (step === "additionalProperties") {
      path += path === "" ? "[key]" : ".[key]";
    } else if (step === "properties" && steps[index + 1] !== undefined) {
      index += 1;
      path += `${path === "" ? "" : "."}${renderName(steps[index] ?? "")}`;
    } else {
      return undefined;
    }
  }
  return path === "" ? undefined : path;
}
