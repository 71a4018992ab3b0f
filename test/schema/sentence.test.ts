import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { firstSentence } from "../../lib/schema/sentence.ts";

const CASES: readonly (readonly [text: string, sentence: string])[] = [
  ["", ""],
  ["  \n\t ", ""],
  ["No stop at all", "No stop at all"],
  ["Ends here.", "Ends here."],
  ["Adds a worklog. Requires permission.", "Adds a worklog."],
  ["Adds a\n  worklog.\n\nRequires permission.", "Adds a worklog."],
  ["Really? Yes.", "Really?"],
  ["Careful! Deletes all.", "Careful!"],
  ["Uses API v1.2 of example.com/v2.1/x. More.", "Uses API v1.2 of example.com/v2.1/x."],
  ["Takes a unit, e.g. km, i.e. a word. More.", "Takes a unit, e.g. km, i.e. a word."],
  ["Reads png, jpg etc. from disk. More.", "Reads png, jpg etc. from disk."],
  ["Compares a vs. b. More.", "Compares a vs. b."],
  ["Works in the U.S. and abroad. More.", "Works in the U.S. and abroad."],
  ["Gives at most max. 5 rows. More.", "Gives at most max. 5 rows."],
  ["Answers yes or no. Rows follow.", "Answers yes or no."],
  ["Ask Dr. Smith et al. about it. More.", "Ask Dr. Smith et al. about it."],
  ["Lists a, b, ... and z. More.", "Lists a, b, ... and z."],
  ["Wait... Done now.", "Wait..."],
  ["1. Open the file. 2. Close it.", "1. Open the file."],
  ["Optional. The branch to use. More.", "Optional. The branch to use."],
  ["Read-only. Lists rows. More.", "Read-only. Lists rows."],
  ["Optional.", "Optional."],
  ["返回用户。需要权限。", "返回用户。"],
  ["他说「好。」然后走。", "他说「好。」"],
  ["ファイルを削除する！注意。", "ファイルを削除する！"],
  ["フォルダー一覧？はい。", "フォルダー一覧？"],
  ["उपयोगकर्ता देता है। और।", "उपयोगकर्ता देता है।"],
  ["هل هو موجود؟ نعم.", "هل هو موجود؟"],
];

describe("firstSentence()", () => {
  test.each(CASES)("%j gives %j", (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });

  test("ends a cut text at a word", () => {
    const text = "abcdefg ".repeat(38);
    expect(firstSentence(text)).toBe("abcdefg ".repeat(17).trim());
  });

  test("cuts before a bracket or comma that would be left open", () => {
    const text = `${"a".repeat(130)}, (${"b".repeat(40)}`;
    expect(firstSentence(text)).toBe("a".repeat(130));
  });

  test("does not part a surrogate pair", () => {
    expect(firstSentence(`${"a".repeat(139)}\u{1f600}${"b".repeat(50)}`)).toBe("a".repeat(139));
  });

  test("does not part a letter from its marks or an emoji sequence", () => {
    expect(firstSentence(`${"a".repeat(139)}e\u0301${"b".repeat(50)}`)).toBe("a".repeat(139));
    expect(firstSentence(`${"漢".repeat(138)}👩\u200d💻${"漢".repeat(9)}`)).toBe("漢".repeat(138));
  });

  test("reads past any run of white space", () => {
    expect(firstSentence(`Adds${" ".repeat(2000)}a worklog. More.`)).toBe("Adds a worklog.");
  });

  test("keeps to a given limit", () => {
    expect(firstSentence("Adds a worklog to an issue. More.", 14)).toBe("Adds a worklog");
  });

  test("gives a beginning of the folded text within the limit, for any text", () => {
    const piece = fc.constantFrom(
      "a",
      "word",
      "e.g.",
      ". ",
      "。",
      " ",
      "\n",
      "😀",
      "\u0301",
      "(",
      "1.",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (value) => {
        const sentence = firstSentence(value);
        expect(sentence.length).toBeLessThanOrEqual(140);
        expect(value.trim().replace(/\s+/g, " ").startsWith(sentence)).toBe(true);
        expect(sentence.isWellFormed()).toBe(value.isWellFormed() || sentence.isWellFormed());
        expect(sentence === "").toBe(value.trim() === "");
      }),
    );
  });
});
