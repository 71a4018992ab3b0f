// Whether an upstream's answer says that the arguments of a call were not acceptable, so that the
// signature would help. Pure. A false yes appends a line of help to an answer; a false no leaves it
// as it is. Judged by code first, then by phrases of the libraries that servers are built with.
import { isObject, type JsonObject, type JsonRpcResponse, RPC_ERROR } from "../json-rpc.ts";

/** A refusal says what is wrong at once; what follows is a dump. */
const MAX_READ = 4000;

/** The arguments as a whole are refused. */
const SAYS_SO: readonly RegExp[] = [
  // MCP SDKs
  /\bMCP error -32602\b/,
  /\b(?:invalid|malformed|bad|wrong|incorrect|unexpected|missing)(?: or missing| or invalid)? (?:tool |input |call |request |function )?(?:arguments?|parameters?|params)\b(?! (?:count|server))/i,
  /\b(?:input|argument|parameter|params|schema) validation (?:error|failed|failure)\b/i,
  /\b(?:arguments?|parameters?|params|input)(?: data)? (?:failed|did not pass|does not pass|do not pass) (?:schema |input )?validation\b/i,
  /\b(?:arguments?|parameters?|params|input) (?:do|does|did) not (?:match|conform to|satisfy|fit) (?:[\w']+ ){0,4}schema\b/i,
  // zod: a list of issues
  /"code":\s*"(?:invalid_type|invalid_literal|invalid_enum_value|invalid_union|invalid_value|invalid_arguments|unrecognized_keys|too_small|too_big|invalid_string|invalid_format)"/,
  /\bunrecognized key(?:\(s\)|s)?(?: in object)?:/i,
  // pydantic, FastMCP
  /\b\d+ validation errors? for \w+/,
  /\[type=(?:missing|unexpected_keyword_argument|extra_forbidden|\w+_type|\w+_parsing|literal_error|enum|value_error|missing_argument)\b/,
  /\bgot an unexpected keyword argument\b/,
  /\bmissing \d+ required (?:positional|keyword-only) arguments?:/,
  // ajv, jsonschema, Go
  /\bdata(?:\/[\w/]+|\.[\w.]+)? must (?:have required property|NOT have additional properties|be (?:string|number|integer|boolean|object|array|null|equal to))/,
  /\bmust have required property '/,
  /'[^']+' is a required property\b/,
  /\bis not of type '(?:string|number|integer|boolean|object|array|null)'/,
  /\bAdditional properties are not allowed \(/,
  /\bjson: (?:cannot unmarshal \w+ into Go|unknown field ")/,
];

/** One of them is missing or wrong. */
const NAMES_ONE: readonly RegExp[] = [
  /\b(?:missing|requires?|lacks?)(?: the| a| an)?(?: following)? (?:required|mandatory) (?:arguments?|parameters?|params?|fields?|propert(?:y|ies)|inputs?|options?|keys?)\b/i,
  /\brequired (?:arguments?|parameters?|params?|fields?|propert(?:y|ies))(?: ["'`]?[\w.[\]-]+["'`]?)? (?:is|are|was|were|not) (?:missing|not (?:provided|given|specified|set)|absent|undefined|provided|given)\b/i,
  /\b(?:arguments?|parameters?|params?) ["'`]?[\w.[\]-]+["'`]? (?:is|are) (?:required|missing|mandatory|invalid|not (?:valid|allowed|recognized|supported))\b/i,
  /\b(?:arguments?|parameters?|params?) ["'`]?[\w.[\]-]+["'`]? must be\b/i,
  /\b(?:unknown|unexpected|unrecognized|unsupported|extraneous) (?:arguments?|parameters?|params?)\b/i,
  /\b(?:invalid|bad|illegal) (?:value|type) (?:for|of) (?:the )?(?:arguments?|parameters?|params?|fields?|propert(?:y|ies))\b/i,
  /\bexpected (?:string|number|integer|boolean|object|array)(?:,| but)? (?:received|got|found) (?:string|number|integer|boolean|object|array|undefined|null|nan)\b/i,
];

/** What looks like a refusal of arguments and is about something else. */
const ABOUT_OTHERS: readonly RegExp[] = [
  /\b(?:unknown tool|tool (?:["'`]?[\w.:/-]+["'`]? )?(?:was )?not found|no such tool|method not found)\b/i,
  /\b(?:unauthori[sz]ed|forbidden|permission denied|access denied|not authenticated|invalid (?:api.?key|token|credentials?)|(?:token|session) (?:has )?expired)\b/i,
  /\b(?:rate limit|too many requests|timed? ?out|ECONN\w+|service unavailable|internal server error)\b/i,
];

/** A JSON-RPC error -32602, or an `isError` result whose text plainly says so. */
export function refusesArguments(response: JsonRpcResponse): boolean {
  if (isObject(response.error)) return refusesByCode(response.error);
  const { result } = response;
  if (!isObject(result) || result.isError !== true) return false;
  const text = textOf(result);
  if (ABOUT_OTHERS.some((phrase) => phrase.test(text))) return false;
  return [...SAYS_SO, ...NAMES_ONE].some((phrase) => phrase.test(text));
}

/** -32602 also stands for unknown tools, by the specification, and for ids that do not exist. */
function refusesByCode(error: JsonObject): boolean {
  if (error.code !== RPC_ERROR.invalidParams) return false;
  const message = typeof error.message === "string" ? error.message.slice(0, MAX_READ) : "";
  const isAboutOthers =
    ABOUT_OTHERS.some((phrase) => phrase.test(message)) ||
    /\bnot found\b|\bdoes not exist\b/i.test(message);
  return !isAboutOthers;
}

function textOf(result: JsonObject): string {
  const blocks: unknown[] = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.flatMap((block) =>
    isObject(block) && block.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
  return texts.join("\n").slice(0, MAX_READ);
}
