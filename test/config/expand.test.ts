// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts as a configuration holds them
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { expandVariables } from "../../lib/config/expand.ts";

const ENVIRONMENT = { A: "one", B: "${A}", EMPTY: "", GONE: undefined, $: "x" };

describe("expandVariables()", () => {
  test.each<[string, string, string[], string[]]>([
    ["", "", [], []],
    ["${A}", "one", [], ["A"]],
    ["x${A}y${A}z", "xoneyonez", [], ["A", "A"]],
    ["${B}", "${A}", [], ["B"]],
    ["${EMPTY}|${EMPTY:-d}", "|", [], ["EMPTY", "EMPTY"]],
    ["${NO:-}|${NO:-d}|${NO:-a:-b}|${NO:-$&}", "|d|a:-b|$&", [], []],
    ["${NO:-${A}}", "${A}", [], []],
    ["${NO}${A}${NO}${NOR}", "${NO}one${NO}${NOR}", ["NO", "NOR"], ["A"]],
    ["${GONE}", "${GONE}", ["GONE"], []],
    ["${toString}", "${toString}", ["toString"], []],
    ["$A ${} ${A-b} ${1} ${A B} $${A} {A}", "$A ${} ${A-b} ${1} ${A B} $one {A}", [], ["A"]],
    ["${NO:-a\nb}", "a\nb", [], []],
    ["${A", "${A", [], []],
  ])("%j becomes %j", (written, text, missing, replaced) => {
    const expanded = expandVariables(written, ENVIRONMENT);
    expect({ ...expanded, replaced: expanded.replaced.map(({ name }) => name) }).toEqual({
      text,
      missing,
      replaced,
    });
  });

  test("leaves a text without ${ as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!text.includes("${"));
        expect(expandVariables(text, ENVIRONMENT)).toEqual({ text, missing: [], replaced: [] });
      }),
    );
  });

  test("puts in a value as it is, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(expandVariables("<${V}>", { V: value }).text).toBe(`<${value}>`);
      }),
    );
  });
});
