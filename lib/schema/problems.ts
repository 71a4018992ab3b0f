// What is wrong with arguments, in words a model can act on: one line a problem, then how the tool
// is called. Pure.
import type { Tool } from "../catalog/catalog.ts";
import { renderSignature } from "./signature.ts";
import { visibleLine } from "./visible-text.ts";

export interface ArgumentProblem {
  /** `filter.items[2].state`; empty for the arguments as a whole. */
  readonly path: string;
  /** The value found, as JSON; or `MISSING` or `UNKNOWN`. */
  readonly found: string;
  /** `integer`, `"open" | "closed"`, `at most 100`. */
  readonly wanted: string;
}

/** A wanted argument that was not given. */
export const MISSING = "missing";
/** An argument that was given and is not known. */
export const UNKNOWN = "unknown";

const MAX_LINES = 8;
/** About 60 tokens; with three problems the whole stays under 150. */
const MAX_SIGNATURE_LENGTH = 240;

/** The refusal of a call, DESIGN.md section 7. */
export function renderProblems(tool: Tool, problems: readonly ArgumentProblem[]): string {
  const lines = problems.slice(0, MAX_LINES).map(renderProblem);
  const rest = problems.length - lines.length;
  if (rest > 0) lines.push(`and ${rest} more`);
  lines.push(renderSignature(tool, { maxLength: MAX_SIGNATURE_LENGTH }));
  return lines.join("\n");
}

function renderProblem({ path, found, wanted }: ArgumentProblem): string {
  const where = path === "" ? "args" : path;
  const state = found === MISSING || found === UNKNOWN ? found : `found ${found}`;
  return visibleLine(`${where}: ${state}, wanted ${wanted}`);
}
