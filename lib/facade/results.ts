// Answers of our own, as JSON on one line: tool results and JSON-RPC errors.
import { FacadeError, renderError, UpstreamError } from "../errors.ts";
import { type RequestId, RPC_ERROR } from "../json-rpc.ts";

/** A tool result with one text block (2025-11-25, server/tools). */
export function renderTextResult(
  id: RequestId,
  text: string,
  options: { readonly isError: boolean },
): string {
  const content = [{ type: "text", text }];
  const result = options.isError ? { content, isError: true } : { content };
  return renderResult(id, JSON.stringify(result));
}

/** A response around a result that is JSON text already. */
export function renderResult(id: RequestId, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}`;
}

export function renderRpcError(id: RequestId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

/** A failure of the way to the upstream, for requests that are not tool calls. */
export function renderFailure(id: RequestId, error: unknown): string {
  const isDuplicate = error instanceof FacadeError && error.code === "duplicate-id";
  if (isDuplicate) return renderRpcError(id, RPC_ERROR.invalidRequest, renderError(error));
  const code = error instanceof UpstreamError ? RPC_ERROR.connection : RPC_ERROR.internal;
  return renderRpcError(id, code, renderError(error));
}
