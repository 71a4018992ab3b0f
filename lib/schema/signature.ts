// A tool as one line that tells a model how to call it:
// `create_issue(repo: string, title: string, labels?: string[])`. Pure.
import type { Tool } from "../catalog/catalog.ts";
import { listParameters, type Parameter } from "./parameters.ts";
import { cutText, renderName, renderType, TYPE_FORMS, type TypeOptions } from "./type-text.ts";
import { visibleLine } from "./visible-text.ts";

/**
 * Required parameters first, each group in the schema's order, the name as the upstream spells it.
 * With `maxLength` (UTF-16 units) types get shorter first, then optional parameters give way to
 * `…`, then types of required ones, then these themselves; the result is never longer.
 */
export function renderSignature(tool: Tool, options: { readonly maxLength?: number } = {}): string {
  const maxLength = options.maxLength ?? Number.POSITIVE_INFINITY;
  const name = visibleLine(tool.name);
  const parameters = listParameters(tool);
  const ordered = [
    ...parameters.filter((parameter) => parameter.required),
    ...parameters.filter((parameter) => !parameter.required),
  ];
  let parts: string[] = [];
  for (const form of TYPE_FORMS) {
    parts = ordered.map((parameter) => renderParameter(tool, parameter, form));
    const text = `${name}(${parts.join(", ")})`;
    if (text.length <= maxLength) return text;
  }
  const bare = ordered.map(({ name: own, required }) => `${renderName(own)}${required ? "" : "?"}`);
  const requiredCount = ordered.filter((parameter) => parameter.required).length;
  return (
    fitting(name, parts, requiredCount, maxLength) ??
    fitting(name, bare, requiredCount, maxLength) ??
    fitting(name, bare, 0, maxLength) ??
    cutText(name, maxLength)
  );
}

function renderParameter(tool: Tool, parameter: Parameter, form: TypeOptions): string {
  const { name, schema, required } = parameter;
  return `${renderName(name)}${required ? "" : "?"}: ${renderType(tool.inputSchema, schema, form)}`;
}

/** As many parts as fit, with `…` for the rest; undefined if not even `least` parts fit. */
function fitting(
  name: string,
  parts: readonly string[],
  least: number,
  maxLength: number,
): string | undefined {
  let length = `${name}(…)`.length;
  let count = 0;
  for (const part of parts) {
    if (length + part.length + 2 > maxLength) break;
    length += part.length + 2;
    count += 1;
  }
  if (count < least || length > maxLength) return undefined;
  if (count === parts.length) return `${name}(${parts.join(", ")})`;
  return `${name}(${[...parts.slice(0, count), "…"].join(", ")})`;
}
