// Which methods need which declared capability, in both directions (2025-11-25, basic/lifecycle).
import { isObject, type JsonObject } from "../json-rpc.ts";

const UPSTREAM_GROUPS: Readonly<Record<string, string>> = {
  prompts: "prompts",
  resources: "resources",
  completion: "completions",
  logging: "logging",
  tasks: "tasks",
};

const HOST_GROUPS: Readonly<Record<string, string>> = {
  sampling: "sampling",
  elicitation: "elicitation",
  roots: "roots",
  tasks: "tasks",
};

/** Empty answers to the lists that some hosts ask for whatever was declared. */
const EMPTY_LISTS: Readonly<Record<string, string>> = {
  "prompts/list": '{"prompts":[]}',
  "resources/list": '{"resources":[]}',
  "resources/templates/list": '{"resourceTemplates":[]}',
};

function missing(
  groups: Readonly<Record<string, string>>,
  method: string,
  declared: unknown,
): string | undefined {
  const group = method.slice(0, Math.max(0, method.indexOf("/")));
  const capability = Object.hasOwn(groups, group) ? groups[group] : undefined;
  if (capability === undefined) return undefined;
  return isObject(declared) && isObject(declared[capability]) ? undefined : capability;
}

/** The capability the host's request needs and the upstream lacks, as far as its handshake tells. */
export function missingUpstreamCapability(
  method: string,
  handshake: JsonObject | undefined,
): string | undefined {
  return missing(UPSTREAM_GROUPS, method, handshake?.capabilities);
}

/** The capability the upstream's request needs and the host has not declared. */
export function missingHostCapability(method: string, capabilities: unknown): string | undefined {
  return missing(HOST_GROUPS, method, capabilities);
}

/** The result of a list request to an upstream without such things, as JSON. */
export function emptyListResult(method: string): string | undefined {
  return Object.hasOwn(EMPTY_LISTS, method) ? EMPTY_LISTS[method] : undefined;
}
