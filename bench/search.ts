// Adapter for a search evaluation: `createIndex` and `rank` over plain tool objects.
import type { Tool } from "../lib/catalog/catalog.ts";
import { createSearchIndex } from "../lib/search/rank.ts";

export function createIndex(tools: readonly Tool[]): {
  search(query: string, limit: number): string[];
} {
  const index = createSearchIndex(tools);
  return { search: (query, limit) => index.search(query, limit).map((hit) => hit.tool.name) };
}

export function rank(tools: readonly Tool[], query: string, limit: number): string[] {
  return createIndex(tools).search(query, limit);
}
