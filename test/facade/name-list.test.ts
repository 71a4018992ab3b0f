import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderNames } from "../../lib/facade/name-list.ts";

const LIMIT = 24 * 1024;

function list(names: readonly string[]): string {
  return renderNames(names.map((name) => ({ name })));
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function range(count: number, make: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

describe("renderNames()", () => {
  test("gives one name a line, in the server's order and spelling", () => {
    expect(list(["getUser", "a\u200bb", "add item"])).toBe(
      "3 tools, all names. Search with a few words to see how to call them.\ngetUser\nab\nadd item",
    );
    expect(list(["one"])).toStartWith("1 tool, all names.");
    expect(list([])).toBe("This server offers no tools.");
  });

  test("writes names that begin alike together when they do not fit otherwise", () => {
    const objects = ["customer", "invoice", "shipment", "warehouse"];
    const names = objects.flatMap((object) =>
      range(500, (i) => `update_${object}_record_field_${String.fromCharCode(97 + (i % 26))}${i}`),
    );
    const text = list(names);
    expect(bytes(names.join("\n"))).toBeGreaterThan(LIMIT);
    expect(bytes(text)).toBeLessThanOrEqual(LIMIT);
    const [head, ...lines] = text.split("\n");
    expect(head).toBe("2000 tools, all names. x_{a, b} stands for x_a and x_b.");
    const expanded = lines.flatMap((line) => {
      const [, prefix = "", rests = ""] = /^(.*)\{(.*)\}$/.exec(line) ?? [];
      return rests === "" ? [line] : rests.split(", ").map((rest) => prefix + rest);
    });
    expect(expanded.sort()).toEqual([...names].sort());
  });

  test("writes numbers that follow each other as a range", () => {
    expect(list(range(10_000, (i) => `tool_${i + 1}`)).split("\n")).toEqual([
      "10000 tools, all names. x_{a, b} stands for x_a and x_b.",
      "tool_{1..10000}",
    ]);
    const padded = range(9_000, (i) => `tool_${String(i).padStart(4, "0")}`);
    expect(list(padded).split("\n")[1]).toBe("tool_{0000..8999}");
  });

  test("gives groups with counts when the names cannot fit", () => {
    const verbs = ["create", "delete", "get", "list", "update"];
    const names = verbs.flatMap((verb) =>
      range(2_000, (i) => `${verb}_${(i * 7919).toString(36)}_entry_${(i * 104_729).toString(36)}`),
    );
    const text = list(names);
    expect(text.split("\n")).toEqual([
      "10000 tools, too many to list every name. These are groups of names with their counts: " +
        "search with a group such as x_* to see its names, or with a few words to find a tool.",
      ...verbs.map((verb) => `${verb}_* (2000)`),
    ]);
  });

  test("stays within 24 KB for any names, and accounts for each of them", () => {
    const part = fc.constantFrom("get", "User", "_", "-", ".", "文件", "😀", "x".repeat(90), "7");
    const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(1, 40, 160),
        (stems, copies) => {
          const names = stems.flatMap((one) => range(copies, (i) => `${one}~${(i * 37) % 1009}`));
          const text = list(names);
          expect(bytes(text)).toBeLessThanOrEqual(LIMIT);
          expect(text).toStartWith(`${names.length} tool`);
          if (!text.includes("too many")) return;
          const counts = text.split("\n").slice(1);
          const sum = counts.reduce((total, line) => {
            const count = /\* \((\d+)\)$/.exec(line)?.[1] ?? /^and (\d+) more/.exec(line)?.[1];
            return total + Number(count ?? 1);
          }, 0);
          expect(sum).toBe(names.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});
