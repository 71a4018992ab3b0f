// A schema as indented lines, one a parameter, that say everything the schema says in far fewer
// tokens than JSON: `state?: "open"|"closed" = "open" - Which ones`. Pure.
// A keyword without a form of its own is written as `keyword: JSON`, so nothing is lost. Pure
// annotations of machines (`$schema`) and keywords that allow everything are left out.
import { isObject } from "../json-rpc.ts";
import { renderConstraints } from "./constraints.ts";
import { type Entry, renderJson, type Shape, SILENT, shapeOf } from "./shape.ts";
import { renderName } from "./type-text.ts";
import { visibleText } from "./visible-text.ts";

interface Writing {
  readonly lines: string[];
  /** Structures written so far, with the path of the place where they stand. */
  readonly written: Map<string, string>;
}

export interface Outline {
  /** The text of the schema itself: type, default, constraints, description; may be empty. */
  readonly head: string;
  /** What it is made of: properties, branches, items. */
  readonly lines: readonly string[];
  /** What its references name. */
  readonly definitions: readonly string[];
}

const INDENT = " ";
/** Deeper than any schema meant for a model; below it stands JSON. */
const MAX_DEPTH = 24;
/** Shorter structures cost less than saying where they stood before. */
const MIN_REPEATED_LENGTH = 120;
const TOO_DEEP = "(nested too deep to show)";
export function outlineSchema(schema: unknown): Outline {
  const writing: Writing = { lines: [], written: new Map() };
  const shape = shapeOf(schema);
  for (const entry of shape.entries) pushEntry(writing, entry, "", 0);
  const definitions: Writing = { lines: [], written: writing.written };
  const { entries, said } = definitionsOf(schema);
  for (const entry of entries) pushEntry(definitions, entry, "", 0);
  const head = renderHead(schema, { ...shape, said: [...shape.said, ...said] });
  return { head, lines: writing.lines, definitions: definitions.lines };
}

/** What `$ref`s name; only at the top, where schemas in the field have them. */
function definitionsOf(schema: unknown): {
  readonly entries: readonly Entry[];
  readonly said: readonly string[];
} {
  const entries: Entry[] = [];
  const said: string[] = [];
  for (const place of ["$defs", "definitions"]) {
    const definitions = isObject(schema) ? schema[place] : undefined;
    if (!isObject(definitions)) continue;
    said.push(place);
    for (const [name, definition] of Object.entries(definitions)) {
      const shown = renderName(name);
      entries.push({ label: `${shown}: `, step: `.${shown}`, schema: definition });
    }
  }
  return { entries, said };
}

function pushEntry(writing: Writing, entry: Entry, parent: string, depth: number): void {
  const { label, schema } = entry;
  const start = INDENT.repeat(depth) + label;
  if (depth >= MAX_DEPTH) {
    writing.lines.push(`${start}${renderJson(schema) ?? TOO_DEEP}`);
    return;
  }
  const path = `${parent}${entry.step}`.replace(/^\./, "");
  const shape = shapeOf(schema);
  const key = shape.entries.length === 0 ? "" : structureOf(schema);
  const same = writing.written.get(key);
  if (same !== undefined) {
    const type = `${shape.type} as in ${same}`;
    writing.lines.push(`${start}${renderHead(schema, { ...shape, type })}`);
    return;
  }
  writing.lines.push(`${start}${renderHead(schema, shape)}`.trimEnd());
  for (const below of shape.entries) pushEntry(writing, below, path, depth + 1);
  if (key.length >= MIN_REPEATED_LENGTH) writing.written.set(key, path);
}

/** Equal for schemas that have the same lines below them. */
function structureOf(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { description: _, default: __, ...structure } = schema;
  return renderJson(structure) ?? "";
}

function renderHead(schema: unknown, shape: Shape): string {
  if (!isObject(schema)) return shape.type;
  const { notes, suffix, said } = renderConstraints(schema);
  const handled = new Set([...shape.said, ...said, ...SILENT]);
  const description = typeof schema.description === "string" ? schema.description.trim() : "";
  if (typeof schema.description === "string") handled.add("description");
  const rest = Object.keys(schema).filter((key) => !handled.has(key));
  const all = [...shape.notes, ...notes, ...rest.map((key) => renderKeyword(key, schema[key]))];
  const parenthesis = all.length === 0 ? "" : ` (${all.join(", ")})`;
  const dash = description === "" ? "" : ` - ${visibleText(description)}`;
  return `${shape.type}${suffix}${parenthesis}${dash}`;
}

function renderKeyword(key: string, value: unknown): string {
  if (value === true) return renderName(key);
  return `${renderName(key)}: ${renderJson(value) ?? TOO_DEEP}`;
}
