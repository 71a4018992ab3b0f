import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Tool } from "../../lib/catalog/catalog.ts";
import { capabilityMap } from "../../lib/search/topics.ts";
import { CATALOGS } from "./labelled.ts";

function named(...names: string[]): Tool[] {
  return names.map((name) => ({ name }));
}

describe("capabilityMap()", () => {
  test("says what the tools deal with, most first", () => {
    expect(capabilityMap(CATALOGS.forge)).toBe(
      "24 tools: ticket 7, pull request 3, branch 3, workflow 3, file 2, fork repository, commits, code, users, webhooks, release",
    );
    expect(capabilityMap(CATALOGS.cloud)).toBe(
      "22 tools: instances 6, storage 4, sql 3, dns records 2, iam roles 2, monitoring 2, disks resize, snapshots insert, billing costs",
    );
  });

  test("leaves out the server's own name and what tools do", () => {
    const tools = named("acme_get_user", "acme_list_users", "acme_get_order", "acme_pay_order");
    expect(capabilityMap(tools)).toBe("4 tools: user 2, order 2");
  });

  test("keeps a noun that looks like a verb", () => {
    const tools = named("list_pull_requests", "pull_request_read", "get_search_results");
    expect(capabilityMap(tools)).toBe("3 tools: pull requests 2, search results");
  });

  test("falls back to the names where there is nothing else", () => {
    expect(capabilityMap(named("search", "fetch"))).toBe("2 tools: search, fetch");
    expect(capabilityMap(named("a"))).toBe("1 tool");
    expect(capabilityMap([])).toBe("");
  });

  test("never costs more than 58 tokens and never differs for the same tools", () => {
    const letters = fc.constantFrom(
      ..."abcdefghijklmnopqrstuvwxyzQZ09你删文件作成ファイル파일แฟ́жщ😀𐍆",
    );
    const word = fc.array(letters, { minLength: 1, maxLength: 14 }).map((all) => all.join(""));
    const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join("_"));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), (names) => {
        const map = capabilityMap(named(...names));
        expect(encode(map).length).toBeLessThanOrEqual(58);
        expect(capabilityMap(named(...names))).toBe(map);
      }),
      { numRuns: 200 },
    );
  });

  test("shows nothing invisible of a name", () => {
    expect(capabilityMap(named("get_us\u{e0041}er\u200b_list\u001b[31m", "x"))).not.toMatch(
      /[\u0000-\u001f\u200b\u{e0000}-\u{e007f}]/u,
    );
  });
});
