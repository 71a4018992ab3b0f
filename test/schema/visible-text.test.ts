import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { visibleLine, visibleText } from "../../lib/schema/visible-text.ts";

const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

const CASES: readonly (readonly [what: string, text: string, visible: string])[] = [
  ["plain text", "Adds a worklog.\n\tDone – ünï, 漢字.", "Adds a worklog.\n\tDone – ünï, 漢字."],
  ["control characters", "a\u0000b\u0007c\u007fd\u0080e", "abcde"],
  ["line breaks of other systems", "a\r\nb\rc\u0085d\u2028e", "a\nb\nc\nd\ne"],
  ["colours", "\u001b[1;31mred\u001b[0m and \u009b32mgreen", "red and green"],
  ["a terminal link", "\u001b]8;;http://a.example\u0007here\u001b]8;;\u001b\\", "here"],
  ["an unfinished control string", "\u001b]0;title", "0;title"],
  ["two-character escapes", "a\u001bcb\u001b(Bc", "abc"],
  ["tag characters", `Adds.${tags("ignore this")}`, "Adds."],
  ["direction controls", "a\u202eb\u2066c\u2069d\u200ee\u061cf", "abcdef"],
  ["zero-width characters", "a\u200bb\u2060c\ufeffd\u00ade\u200cf\u200dg", "abcdefg"],
  ["fillers", "a\u3164b\u115fc\uffa0d\u034fe", "abcde"],
  ["variation selectors behind a letter", "a\ufe0fb\ufe01c\u{e0100}d", "abcd"],
  ["lone surrogates", "a\ud800b\udc00c", "a\ufffdb\ufffdc"],
  [
    "an emoji sequence",
    "👩\u200d💻 ❤\ufe0f 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3",
    "👩\u200d💻 ❤\ufe0f 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3",
  ],
  ["a second selector or joiner", "❤\ufe0f\ufe0f 👩\u200d\u200d💻", "❤\ufe0f 👩💻"],
  ["joiners of a joining script", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"],
  ["joiners at the end of a word", "می\u200c क्\u200d", "می क्"],
];

describe("visibleText()", () => {
  test.each(CASES)("%s", (_what, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  test("changes nothing the second time, and leaves no invisible character", () => {
    const piece = fc.constantFrom(
      ..."\u001b|[|]|;|m|0|1|a|\u0007|\r|\n|\u200d|\u200c|\ufe0f|👩|🏽|م|\u{e0041}|\ud800|#|\u20e3|\\".split(
        "|",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (value) => {
        const visible = visibleText(value);
        expect(visibleText(visible)).toBe(visible);
        expect(visible).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
        expect(visible).not.toMatch(/[\u{e0000}-\u{e0fff}]/u);
      }),
    );
  });

  test("takes linear time for openings that are never closed", () => {
    const text = "\u001b]\u0090".repeat(100_000);
    expect(visibleText(text)).toBe("");
  });
});

describe("visibleLine()", () => {
  test.each([
    ["get user", "get user"],
    ["get\tuser\n\n of", "get user of"],
    ["a\u2028b\r\nc\u00a0d", "a b c d"],
    ["\u001b[31ma\u200b\u0007b\u001b[0m", "ab"],
  ])("makes %j %j", (text, line) => {
    expect(visibleLine(text)).toBe(line);
  });
});
