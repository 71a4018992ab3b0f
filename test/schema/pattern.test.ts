import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compilePattern } from "../../lib/schema/pattern.ts";

function matches(source: string, text: string): boolean | undefined {
  return compilePattern(source)?.test(text, () => {});
}

function native(source: string, text: string): boolean {
  try {
    return new RegExp(source, "u").test(text);
  } catch {
    return new RegExp(source).test(text);
  }
}

/** Patterns out of all constructs, over a small alphabet so that texts often match. */
const { pattern } = fc.letrec<{ pattern: string; term: string; atom: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie("term"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((options) => options.map((terms) => terms.join("")).join("|")),
  term: fc.oneof(
    { depthSize: "small" },
    tie("atom"),
    fc
      .tuple(tie("atom"), fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"))
      .map(([atom, quantifier]) => atom + quantifier),
    fc.constantFrom("^", "$", "\\b", "\\B"),
    tie("pattern").map((inner) => `(?=${inner})`),
    tie("pattern").map((inner) => `(?!${inner})`),
  ),
  atom: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", "-", ".", "\\w", "\\d", "[ab]", "[^a]", "[a-z\\]]", "\\.", "é", "😀"),
    fc.constantFrom("\\p{L}", "\\u0061", "\\x62", "\\u{1F600}", "\\ud83d\\ude00", "\\/", "\\0"),
    tie("pattern").map((inner) => `(${inner})`),
    tie("pattern").map((inner) => `(?:${inner})`),
    tie("pattern").map((inner) => `(?<n${inner.length}>a)`),
  ),
}));
const text = fc.string({ unit: fc.constantFrom("a", "b", "-", "1", " ", "é", "😀", "\n", ".") });

describe("compilePattern()", () => {
  test("agrees with the runtime's own engine", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 4 }), (source, texts) => {
        let valid = true;
        try {
          new RegExp(source);
        } catch {
          valid = false;
        }
        fc.pre(valid);
        const compiled = compilePattern(source);
        expect(compiled).toBeDefined();
        for (const sample of texts) {
          expect([source, sample, matches(source, sample)]).toEqual([
            source,
            sample,
            native(source, sample),
          ]);
        }
      }),
      { numRuns: 200 },
    );
  });

  const usual: [string, string, string][] = [
    ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "a-b-c", "a--b"],
    ["^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z?)?$", "2026-11-30T10:00Z", "2026-11"],
    [
      "^(?!\\.)(?!.*\\.\\.)([\\w'+\\-\\.]*)[\\w+-]@([a-z0-9][a-z0-9\\-]*\\.)+[a-z]{2,}$",
      "a.b@c.io",
      "a..b@c.io",
    ],
    ["^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}$", "0123abcd-00ff", "0123abcd"],
    ["^(https?|git)://[^\\s/$.?#].[^\\s]*$", "https://x.io/a", "ftp://x.io"],
    ["\\S", " a ", "  "],
    ["^#?[a-f]{3}$", "#abc", "##abc"],
    ["", "anything", ""],
    ["^a{2}$|^b$", "aa", "a"],
    ["^{a}$", "{a}", "a"],
    ["^[^\\x00-\\x1f]+$", "abc", "a\u0001"],
    ["^(a|b)?c[]]*$", "c", "d"],
  ];
  test.each(usual)("%s", (source, good, bad) => {
    expect(matches(source, good)).toBe(native(source, good));
    expect(matches(source, bad)).toBe(native(source, bad));
  });

  test.each([
    "(?<y>\\p{L}+",
    "[",
    "*",
    "(a)\\1",
    "(?<=a)b",
    "(?<n>a)\\k<n>",
    "(?<!a)b",
    "(a{1000}){1000}",
    "(".repeat(200) + ")".repeat(200),
  ])("has no form for %s", (source) => {
    expect(compilePattern(source)).toBeUndefined();
  });

  test.each([
    ["^(a+)+$", "a".repeat(5000)],
    ["(a*)*b", "a".repeat(5000)],
    ["^(a|aa)+$", "a".repeat(5000)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(5000)],
    ["(x+x+)+y", "x".repeat(5000)],
    [`^${"(a|aa)".repeat(40)}$`, "a".repeat(60)],
    ["a*a*a*a*a*a*b", "a".repeat(5000)],
    ["^(?=(a+)+$)a", "a".repeat(5000)],
    ["^(?!(a+)+$)a", "a".repeat(5000)],
    ["(a|aa){30}b", "a".repeat(5000)],
  ])("runs %s in steps that grow with the text", (source, base) => {
    let steps = 0;
    const compiled = compilePattern(source);
    expect(compiled).toBeDefined();
    compiled?.test(`${base}!`, (count) => {
      steps += count;
    });
    expect(steps).toBeLessThan(400 * (base.length + 1));
  });

  test("ends when spend throws", () => {
    const stop = (): never => {
      throw new RangeError("enough");
    };
    expect(() => compilePattern("(a+)+$")?.test("aaa!", stop)).toThrow("enough");
  });
});
