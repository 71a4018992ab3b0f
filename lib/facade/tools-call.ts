// tools/call, direct and through `call`: one code path. Names are looked up, arguments checked with
// the original schema, then the host's own message goes upstream with the upstream's spelling of
// the name; its answer comes back as it is. Loaded at the first call.
import { type Catalog, createCatalog, type Tool } from "../catalog/catalog.ts";
import type { CatalogSource, CurrentCatalog } from "../catalog/refresh.ts";
import type { ServerEntry } from "../config/server-entry.ts";
import { UsageError } from "../errors.ts";
import {
  isObject,
  type JsonObject,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Received,
  RPC_ERROR,
} from "../json-rpc.ts";
import { appendElement, memberText, replaceMember } from "../json-text.ts";
import { listParameters } from "../schema/parameters.ts";
import { renderProblems } from "../schema/problems.ts";
import { renderSignature } from "../schema/signature.ts";
import type { Validator } from "../schema/validate.ts";
import { nearestNames } from "../search/nearest.ts";
import type { SearchIndex } from "../search/rank.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { type CallTarget, findPlainCall, parseCallArguments } from "./call-arguments.ts";
import { exposedNamesOf, selectUsed } from "./exposed.ts";
import { findMetaTool, guessMetaTool, type MetaTool } from "./meta-tools.ts";
import { refusesArguments } from "./refusal.ts";
import { renderRpcError, renderTextResult } from "./results.ts";

/** One tools/call of the host. */
export interface CallInProgress {
  readonly received: Received<JsonRpcRequest>;
  /** True once the host gave it up: nothing is sent any more, nothing answered. */
  isCancelled(): boolean;
  answer(text: string): void;
  /** Answers with the words of a failure of our own. */
  fail(error: unknown): void;
  /** Hands the request over to the upstream; from here on cancellation is the upstream's. */
  relay(
    upstream: Upstream,
    request: Received<JsonRpcRequest>,
    onAnswer: (answer: Received<JsonRpcResponse>) => void,
  ): void;
}

export interface ToolCaller {
  run(call: CallInProgress): Promise<void>;
}

/** What a lookup needs of one state of the catalog. */
interface Lookup {
  readonly of: CurrentCatalog;
  readonly catalog: Catalog;
  index?: SearchIndex;
}

/** Why a call is not carried out, in words for the model. */
class Refusal extends UsageError {}

/** The words to search for, also where a model named the parameter otherwise; all tools without any. */
function searchWords({ query, ...others }: JsonObject): string | undefined {
  const words = query ?? Object.values(others).find((value) => typeof value === "string");
  return words === undefined || words === null ? undefined : String(words);
}

export function createToolCaller(options: {
  readonly entry: ServerEntry;
  readonly source: CatalogSource;
  readonly upstream: () => Promise<Upstream>;
}): ToolCaller {
  const { entry, source } = options;
  let lookup: Lookup | undefined;
  let validator: Promise<Validator> | undefined;
  const namesOfParameters = new WeakMap<Tool, readonly string[]>();

  async function requireLookup(): Promise<Lookup> {
    const current = await source.require();
    if (lookup?.of === current) return lookup;
    const tools = current.tools();
    const exposedNames = exposedNamesOf(selectUsed(tools, entry));
    const catalog = createCatalog({
      server: entry.name,
      tools,
      hidden: entry.hidden,
      exposedNames,
    });
    lookup = { of: current, catalog };
    return lookup;
  }

  /** Also a tool that the catalog does not know yet. */
  async function findTool(name: string): Promise<Tool | undefined> {
    const found = (await requireLookup()).catalog.find(name);
    if (found !== undefined || !(await source.refreshForUnknownName())) return found;
    return (await requireLookup()).catalog.find(name);
  }

  function parameterNames(tool: Tool): readonly string[] {
    const names =
      namesOfParameters.get(tool) ?? listParameters(tool).map((parameter) => parameter.name);
    namesOfParameters.set(tool, names);
    return names;
  }

  async function unknownTool(name: string): Promise<string> {
    const { catalog } = await requireLookup();
    const near = nearestNames(
      name,
      catalog.tools.map((tool) => tool.name),
      5,
    );
    const hint =
      near.length === 0
        ? `Use ${entry.metaPrefix}discover to find the right name`
        : `The nearest names are: ${near.join(", ")}`;
    return `Cannot find tool "${name}": "${entry.name}" does not offer it. ${hint}`;
  }

  async function checkArguments(tool: Tool, args: JsonObject): Promise<string | undefined> {
    if (!entry.validate) return undefined;
    validator ??= import("../schema/validate.ts").then(({ createValidator }) => createValidator());
    const problems = (await validator).check(tool, args);
    return problems.length === 0 ? undefined : renderProblems(tool, problems);
  }

  async function runDiscover(args: JsonObject): Promise<string> {
    const [{ renderDiscovery }, { createSearchIndex }, current] = await Promise.all([
      import("./discover.ts"),
      import("../search/rank.ts"),
      requireLookup(),
    ]);
    const { tools } = current.catalog;
    const index = () => (current.index ??= createSearchIndex(tools));
    return renderDiscovery({ tools, index, query: searchWords(args), limit: args.limit });
  }

  async function runDescribe(args: unknown): Promise<string> {
    const { parseDescribeArguments, renderDefinition, renderDescription } = await import(
      "./describe.ts"
    );
    const wanted = parseDescribeArguments(args);
    if ("refusal" in wanted) throw new Refusal(wanted.refusal);
    const texts: string[] = [];
    const unknown: string[] = [];
    for (const name of wanted.tools) {
      const tool = await findTool(name);
      if (tool === undefined) unknown.push(await unknownTool(name));
      else texts.push(wanted.detail === "full" ? renderDefinition(tool) : renderDescription(tool));
    }
    if (texts.length === 0) throw new Refusal(unknown.join("\n"));
    return [...texts, ...unknown].join("\n\n");
  }

  /** `text` is the JSON text of the meta-tool's arguments. */
  async function runMeta(
    meta: MetaTool,
    call: CallInProgress,
    text: string | undefined,
  ): Promise<void> {
    const { id, params } = call.received.message;
    if (meta === "call") return runCall(call, text);
    if (params?.task !== undefined) {
      const message = `Cannot run "${meta}" as a task: it answers at once; send it without "task"`;
      call.answer(renderRpcError(id, RPC_ERROR.invalidParams, message));
      return;
    }
    const args: unknown = text === undefined ? {} : JSON.parse(text);
    const answer =
      meta === "discover" ? await runDiscover(isObject(args) ? args : {}) : await runDescribe(args);
    call.answer(renderTextResult(id, answer, { isError: false }));
  }

  async function runCall(call: CallInProgress, text: string | undefined): Promise<void> {
    const { catalog } = await requireLookup();
    const parametersOf = (name: string) => {
      const tool = catalog.find(name);
      return tool === undefined ? undefined : parameterNames(tool);
    };
    const target = parseCallArguments(text, { parametersOf });
    if ("refusal" in target) throw new Refusal(target.refusal);
    return runTarget(call, target);
  }

  async function runTarget(call: CallInProgress, target: CallTarget): Promise<void> {
    const { catalog } = await requireLookup();
    const known = catalog.find(target.tool);
    const meta = known === undefined ? guessMetaTool(target.tool, entry.metaPrefix) : undefined;
    if (meta !== undefined) return runMeta(meta, call, target.argsText);
    const tool = known ?? (await findTool(target.tool));
    if (tool === undefined) throw new Refusal(await unknownTool(target.tool));
    const problem = await checkArguments(tool, target.args);
    if (problem !== undefined) throw new Refusal(problem);
    const { message, text: own } = call.received;
    const named = replaceMember(own, ["params", "name"], JSON.stringify(tool.name));
    const params = { ...message.params, name: tool.name, arguments: target.args };
    await send(call, tool, {
      message: { ...message, params },
      text: replaceMember(named, ["params", "arguments"], target.argsText),
    });
  }

  async function runDirect(call: CallInProgress, name: string): Promise<void> {
    const { message, text } = call.received;
    const given = message.params?.arguments;
    // The catalog's own tools go before a sloppy spelling of a meta-tool.
    const { catalog } = await requireLookup();
    const known = catalog.find(name);
    const meta = known === undefined ? guessMetaTool(name, entry.metaPrefix) : undefined;
    if (meta !== undefined) return runMeta(meta, call, memberText(text, ["params", "arguments"]));
    const tool = known ?? (await findTool(name));
    if (tool === undefined) throw new Refusal(await unknownTool(name));
    // Anything but an object is the upstream's to judge: nothing is coerced here.
    const args = given === undefined ? {} : given;
    const problem = isObject(args) ? await checkArguments(tool, args) : undefined;
    if (problem !== undefined) throw new Refusal(problem);
    if (name === tool.name) return send(call, tool, call.received);
    await send(call, tool, {
      message: { ...message, params: { ...message.params, name: tool.name } },
      text: replaceMember(text, ["params", "name"], JSON.stringify(tool.name)),
    });
  }

  async function send(
    call: CallInProgress,
    tool: Tool,
    request: Received<JsonRpcRequest>,
  ): Promise<void> {
    const upstream = await options.upstream();
    if (call.isCancelled()) return;
    call.relay(upstream, request, (answer) => {
      call.answer(refusesArguments(answer.message) ? withSignature(answer, tool) : answer.text);
    });
  }

  return {
    async run(call) {
      const { message, text } = call.received;
      const name = message.params?.name;
      try {
        if (typeof name !== "string") {
          const found = `found ${JSON.stringify(name) ?? "none"}, wanted the name of a tool`;
          call.answer(
            renderRpcError(
              message.id,
              RPC_ERROR.invalidParams,
              `Cannot call a tool: params.name: ${found}`,
            ),
          );
          return;
        }
        const meta = findMetaTool(name, entry.metaPrefix);
        const plain = meta === "call" ? findPlainCall(message.params?.arguments) : undefined;
        if (plain !== undefined) {
          const argsText = memberText(text, ["params", "arguments", "args"]) ?? "{}";
          await runTarget(call, { ...plain, argsText });
        } else if (meta === undefined) await runDirect(call, name);
        else await runMeta(meta, call, memberText(text, ["params", "arguments"]));
      } catch (error) {
        call.fail(error);
      }
    },
  };
}

/** The upstream's own refusal, with the tool's signature after it. */
function withSignature(answer: Received<JsonRpcResponse>, tool: Tool): string {
  const { error, result } = answer.message;
  const signature = renderSignature(tool);
  if (isObject(error)) {
    // An error has no text blocks: hosts show models its message, so that is where it can help.
    if (typeof error.message !== "string") return answer.text;
    const message = JSON.stringify(`${error.message}\n${signature}`);
    return replaceMember(answer.text, ["error", "message"], message);
  }
  if (!isObject(result) || !Array.isArray(result.content)) return answer.text;
  return appendElement(
    answer.text,
    ["result", "content"],
    JSON.stringify({ type: "text", text: signature }),
  );
}
