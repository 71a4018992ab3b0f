// The meta-tool `describe`: everything the upstream says about a tool, in a form that costs a model
// far fewer tokens than the JSON. Pure.
import type { Tool } from "../catalog/catalog.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { outlineSchema } from "../schema/outline.ts";
import { renderJson } from "../schema/shape.ts";
import { renderName } from "../schema/type-text.ts";
import { visibleLine, visibleText } from "../schema/visible-text.ts";

/** DESIGN.md section 7, describe: the compact form, complete for whatever a model can use. */
export function renderDescription(tool: Tool): string {
  const text = renderCompact(tool);
  const json = renderJson(essence(tool));
  return json !== undefined && json.length < text.length ? json : text;
}

/** The original definition as JSON, untouched; only characters a reader cannot see are missing. */
export function renderDefinition(tool: Tool): string {
  return renderJson(tool) ?? renderCompact(tool);
}

function renderCompact(tool: Tool): string {
  const name = visibleLine(tool.name);
  const title = typeof tool.title === "string" ? visibleText(tool.title).trim() : "";
  const description = typeof tool.description === "string" ? tool.description.trim() : "";
  return [
    title === "" || title === name ? name : `${name} - ${title}`,
    visibleText(description),
    renderParameters(tool.inputSchema),
    tool.outputSchema === undefined ? "" : renderSchema("Returns", tool.outputSchema),
    isObject(tool.annotations) ? renderAnnotations(tool.annotations, title) : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function renderParameters(schema: unknown): string {
  const text = renderSchema("Parameters", schema);
  return text === "Parameters:" || text === "Only parameters:" ? "No parameters" : text;
}

/** `object` goes without saying for what is under a heading. */
function renderSchema(heading: string, schema: unknown): string {
  const { head, lines, definitions } = outlineSchema(schema);
  const closed = /^closed object(?=$| )/.test(head);
  const rest = head.replace(/^(closed )?object(?=$| )/, "").trim();
  const title = closed ? `Only ${heading.toLowerCase()}:` : `${heading}:`;
  const named = definitions.length === 0 ? [] : ["Definitions:", ...definitions];
  return [rest === "" ? title : `${title} ${rest}`, ...lines, ...named].join("\n");
}

/** `Annotations: readOnlyHint, not destructiveHint, category: "x"` */
function renderAnnotations(annotations: JsonObject, title: string): string {
  const notes: string[] = [];
  for (const [key, value] of Object.entries(annotations)) {
    if (key === "title" && value === title) continue;
    if (value === true) notes.push(renderName(key));
    else if (value === false) notes.push(`not ${renderName(key)}`);
    else notes.push(`${renderName(key)}: ${renderJson(value) ?? "(nested too deep to show)"}`);
  }
  return notes.length === 0 ? "" : `Annotations: ${notes.join(", ")}`;
}

/** What the compact form says, as the upstream's JSON says it. */
function essence(tool: Tool): JsonObject {
  const fields = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
  return Object.fromEntries(
    fields.filter((field) => tool[field] !== undefined).map((field) => [field, tool[field]]),
  );
}

/** What a model meant by the arguments of `describe`; names in order, each once. */
export function parseDescribeArguments(
  value: unknown,
):
  | { readonly tools: readonly string[]; readonly detail: "compact" | "full" }
  | { readonly refusal: string } {
  const args = unwrap(value);
  const tools = [...new Set(namesIn(args))];
  if (tools.length > 0) return { tools, detail: wantsAll(args) ? "full" : "compact" };
  const refusal =
    'Cannot describe a tool: its name is missing. Send {"tool": "NAME"} or {"tool": ["NAME", "NAME"]}';
  return { refusal };
}

const TOOL_KEYS = ["tool", "tools", "name", "names", "tool_name", "tool_names", "toolName"];
const WRAPPER_KEYS = ["args", "arguments", "input", "parameters", "params"];
const MAX_WRAPPERS = 4;

/** Takes off JSON strings and wrappers such as `{args: {tool: …}}`. */
function unwrap(value: unknown): unknown {
  let current = value;
  for (let level = 0; level < MAX_WRAPPERS; level += 1) {
    const text = typeof current === "string" ? current.trim() : "";
    if (/^[[{"]/.test(text)) {
      const parsed = parseJson(text);
      if (parsed === undefined) return current;
      current = parsed;
      continue;
    }
    if (!isObject(current)) return current;
    const args: JsonObject = current;
    if (TOOL_KEYS.some((key) => isNamed(args[key]))) return args;
    const wrapper = WRAPPER_KEYS.find((key) => isNamed(args[key]));
    if (wrapper === undefined) return args;
    current = args[wrapper];
  }
  return current;
}

function isNamed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Names in a string, in a list or JSON list of them, or in objects that say them. */
function namesIn(value: unknown, depth = 0): string[] {
  const inner = typeof value === "string" ? unwrap(value) : value;
  if (depth > MAX_WRAPPERS) return [];
  if (Array.isArray(inner)) return inner.flatMap((item) => namesIn(item, depth + 1));
  if (isObject(inner)) {
    return namesIn(TOOL_KEYS.map((key) => inner[key]).find(isNamed), depth + 1);
  }
  if (typeof inner !== "string") return [];
  return inner
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function wantsAll(args: unknown): boolean {
  return isObject(args) && String(args.detail).trim().toLowerCase() === "full";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A name that only looks like JSON.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
