// What a model meant by the arguments it gave to the meta-tool `call`: which tool, which arguments.
// Works on the JSON text, so that what reaches the tool is what the model wrote, number by number.
// Only shapes with one possible meaning are accepted; the rest is refused with the right form, and
// nothing is ever dropped or turned into `{}`. Which names exist is the facade's business: a
// meta-tool named as tool comes back like any other name. Pure.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { memberText, objectMembers } from "../json-text.ts";
import { renderValue } from "../schema/type-text.ts";

/** The call as meant. `argsText` is the JSON text of the arguments object as the model wrote it. */
export interface CallTarget {
  readonly tool: string;
  readonly argsText: string;
  readonly args: JsonObject;
}

/** Why it cannot be carried out, for the model, with the right form. */
export interface CallRefusal {
  readonly refusal: string;
}

export interface CallContext {
  /**
   * The names of a tool's own parameters; undefined for an unknown tool. Tells a parameter called
   * `args` or `input` from the wrapper that models put around arguments.
   */
  readonly parametersOf?: (tool: string) => readonly string[] | undefined;
}

interface Member {
  readonly key: string;
  readonly text: string;
}

/** The names of the tool's parameters, if they are known. */
type Own = readonly string[] | undefined;

const TOOL_KEYS = ["tool", "tool_name", "toolName", "name"];
const ARGS_KEYS = ["args", "arguments", "input", "parameters", "params", "tool_input", "tool_args"];
/** Wrappers and encodings inside one another; more is not a slip but a puzzle. */
const MAX_WRAPPERS = 4;

/**
 * The short way for arguments as they should be, `{tool: NAME, args: {...}}` and nothing in `args`
 * that could be a wrapper; undefined for all others. `parseCallArguments` says the same of them.
 */
export function findPlainCall(
  given: unknown,
): { readonly tool: string; readonly args: JsonObject } | undefined {
  if (!isObject(given)) return undefined;
  const { tool, args, ...others } = given;
  const isPlain = typeof tool === "string" && isObject(args) && Object.keys(others).length === 0;
  if (!isPlain || tool.trim() === "") return undefined;
  const mayWrap = Object.keys(args).some(
    (key) => TOOL_KEYS.includes(key) || ARGS_KEYS.includes(key),
  );
  return mayWrap ? undefined : { tool: tool.trim(), args };
}

/** DESIGN.md section 7, call. `argumentsText` is the raw text of the request's `params.arguments`. */
export function parseCallArguments(
  argumentsText: string | undefined,
  context: CallContext = {},
): CallTarget | CallRefusal {
  const form = renderForm("NAME");
  let text = argumentsText === undefined ? undefined : decodeObject(argumentsText);
  for (let level = 0; level <= MAX_WRAPPERS; level += 1) {
    if (text === undefined) {
      return { refusal: `Cannot call a tool: an object with the tool's name is wanted. ${form}` };
    }
    const members = lastOfEach(objectMembers(text));
    const toolMember = findToolMember(members);
    const inner =
      toolMember === undefined ? soleWrapped(members) : wrappedTool(toolMember, members);
    if (inner === undefined) {
      if (toolMember === undefined) {
        return { refusal: `Cannot call a tool: the name of the tool is missing. ${form}` };
      }
      return parseMembers(toolMember, members, context);
    }
    text = inner;
  }
  return { refusal: `Cannot call a tool: the call is wrapped too many times. ${form}` };
}

function parseMembers(
  toolMember: Member,
  members: readonly Member[],
  context: CallContext,
): CallTarget | CallRefusal {
  const tool: unknown = JSON.parse(toolMember.text);
  if (typeof tool !== "string" || tool.trim() === "") {
    const found = renderValue(tool);
    return {
      refusal: `Cannot call a tool: tool must be a name, found ${found}. ${renderForm("NAME")}`,
    };
  }
  const name = tool.trim();
  const own: Own = context.parametersOf?.(name);
  const others = members.filter(
    (member) => member !== toolMember && !repeatsTool(member, name, own),
  );
  const found = findArgs(name, others, own);
  if ("refusal" in found) return found;
  const argsText = unwrap(name, found.text, own);
  return { tool: name, argsText, args: JSON.parse(argsText) as JsonObject };
}

/** The text of the arguments object, from the members beside the tool's name. */
function findArgs(
  tool: string,
  others: readonly Member[],
  own: Own,
): { readonly text: string } | CallRefusal {
  const holder = findHolder(others, own);
  const beside = others.filter((member) => member !== holder);
  if (holder === undefined) return { text: joinMembers(beside) };
  const text = decodeObject(holder.text);
  if (own?.includes(holder.key) && (text === undefined || beside.length > 0)) {
    return { text: joinMembers(others) };
  }
  if (text === undefined) {
    const found = renderValue(JSON.parse(holder.text));
    return {
      refusal: `Cannot call "${tool}": ${holder.key} must be an object, found ${found}. ${renderForm(tool)}`,
    };
  }
  const held = objectMembers(text);
  if (held.length === 0) return { text: beside.length === 0 ? text : joinMembers(beside) };
  const stray = beside.filter(
    ({ key, text: value }) => !held.some((member) => member.key === key && member.text === value),
  );
  if (stray.length === 0) return { text };
  const keys = stray.map((member) => renderValue(member.key)).join(", ");
  return {
    refusal: `Cannot call "${tool}": ${keys} beside ${holder.key}, all arguments must be in one object. ${renderForm(tool)}`,
  };
}

/**
 * The member that holds the arguments: `args`, or a usual other name for it if it holds an object
 * and is no parameter of the tool. For an unknown tool the latter must also stand alone.
 */
function findHolder(others: readonly Member[], own: Own): Member | undefined {
  const args = others.find((member) => member.key === "args");
  if (args !== undefined) return args;
  if (own === undefined && others.length > 1) return undefined;
  const holders = others.filter((member) => !own?.includes(member.key) && holdsArguments(member));
  return holders.length === 1 ? holders[0] : undefined;
}

function holdsArguments({ key, text }: Member): boolean {
  if (!ARGS_KEYS.includes(key)) return false;
  const saysNothing = text === "null" || text === '""';
  return saysNothing ? key === "arguments" : decodeObject(text) !== undefined;
}

/**
 * Takes off a second wrapper inside the arguments, as in `{args: {args: {id: 5}}}` or
 * `{args: {tool: "X", args: {id: 5}}}`, if the tool has no such parameter but has all the inner ones.
 */
function unwrap(tool: string, text: string, own: Own): string {
  if (own === undefined) return text;
  const others = objectMembers(text).filter((member) => !repeatsTool(member, tool, own));
  const [sole, ...more] = others;
  if (sole === undefined || more.length > 0 || own.includes(sole.key)) return text;
  if (!ARGS_KEYS.includes(sole.key)) return text;
  const inner = decodeObject(sole.text);
  const keys = inner === undefined ? [] : objectMembers(inner).map((member) => member.key);
  return inner !== undefined && keys.length > 0 && keys.every((key) => own.includes(key))
    ? inner
    : text;
}

/** Says the tool's name once more, and is no parameter of the tool. */
function repeatsTool(member: Member, tool: string, own: Own): boolean {
  if (!TOOL_KEYS.includes(member.key) || own === undefined || own.includes(member.key))
    return false;
  return JSON.parse(member.text) === tool;
}

function findToolMember(members: readonly Member[]): Member | undefined {
  for (const key of TOOL_KEYS) {
    const member = members.find((candidate) => candidate.key === key);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** `{tool: {name, arguments}}`, or the same as JSON in a string. */
function wrappedTool(toolMember: Member, members: readonly Member[]): string | undefined {
  if (members.length > 1) return undefined;
  return wrappedCall(toolMember.text);
}

/** `{call: {tool, args}}`, `{arguments: "{\"tool\": …}"}` and the like. */
function soleWrapped(members: readonly Member[]): string | undefined {
  const [sole, ...more] = members;
  return sole === undefined || more.length > 0 ? undefined : wrappedCall(sole.text);
}

function wrappedCall(text: string): string | undefined {
  const inner = decodeObject(text);
  if (inner === undefined) return undefined;
  return TOOL_KEYS.some((key) => memberText(inner, [key]) !== undefined) ? inner : undefined;
}

/**
 * The text of an object: as it is, or out of a JSON string (also twice encoded, or in a code
 * fence). `null` and empty strings are `{}`; anything else is undefined. `text` is valid JSON.
 */
function decodeObject(text: string): string | undefined {
  let current = text.trim();
  if (current.startsWith("{")) return current;
  for (let level = 0; level <= MAX_WRAPPERS; level += 1) {
    if (current === "" || current === "null") return "{}";
    const value = parseJson(current);
    if (isObject(value)) return current;
    if (typeof value !== "string") return undefined;
    const fenced = /^```(?:json)?\s*\n(.*)\n\s*```$/is.exec(value.trim());
    current = (fenced?.[1] ?? value).trim();
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Text that is no JSON is what this function is asked about.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** As JSON.parse reads it: of repeated members the last. */
function lastOfEach(members: readonly Member[]): readonly Member[] {
  const [first, second, third] = members;
  if (third === undefined && first?.key !== second?.key) return members;
  return [...new Map(members.map((member) => [member.key, member])).values()];
}

function joinMembers(members: readonly Member[]): string {
  return `{${members.map(({ key, text }) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}

function renderForm(tool: string): string {
  return `Send {"tool": ${JSON.stringify(tool)}, "args": {"PARAMETER": VALUE}}`;
}
