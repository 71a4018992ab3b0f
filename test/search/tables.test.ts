// What the tables of words promise: no word that cannot be found, no line without a use.
import { describe, expect, test } from "bun:test";
import { FOREIGN_WORDS } from "../../lib/search/languages.ts";
import { NOUN_GROUPS } from "../../lib/search/nouns.ts";
import { stem } from "../../lib/search/stem.ts";
import { createThesaurus } from "../../lib/search/thesaurus.ts";
import { createTranslator } from "../../lib/search/translation.ts";
import {
  LOOSE_VERB_GROUPS,
  NOUNS_AS_VERBS,
  OPPOSITE_VERBS,
  READING_VERBS,
  VERB_GROUPS,
  WRITING_VERBS,
} from "../../lib/search/verbs.ts";

describe("createThesaurus()", () => {
  const thesaurus = createThesaurus();

  test("finds every word of the tables in any of its forms", () => {
    const words = [...VERB_GROUPS, ...LOOSE_VERB_GROUPS, ...NOUN_GROUPS].join(" ").split(" ");
    expect(words.filter((word) => !thesaurus.has(stem(word)))).toEqual([]);
    expect(["deletes", "retrieving", "repositories"].map((w) => thesaurus.has(stem(w)))).toEqual([
      ...[true, true, true],
    ]);
    expect(thesaurus.has("constructor")).toBe(false);
  });

  test("names verb groups by their first words only", () => {
    const first = new Set(VERB_GROUPS.map((line) => line.split(" ")[0]));
    const named = [
      ...OPPOSITE_VERBS.flat(),
      ...NOUNS_AS_VERBS.map(([, verb]) => verb),
      ...`${READING_VERBS} ${WRITING_VERBS}`.split(" "),
    ];
    expect(named.filter((word) => !first.has(word))).toEqual([]);
  });

  test("tells near-equal words from loosely related ones", () => {
    const alternatives = thesaurus.alternatives(stem("remove"));
    expect(alternatives.get(stem("delete"))).toBeGreaterThan(alternatives.get(stem("detach")) ?? 1);
    expect(alternatives.has(stem("remove"))).toBe(false);
  });

  test("opposes looking and changing, both ways", () => {
    const group = (word: string) => thesaurus.verbGroups(stem(word))[0] ?? -1;
    expect(thesaurus.opposed(group("get"), group("delete"))).toBe(true);
    expect(thesaurus.opposed(group("delete"), group("get"))).toBe(true);
    expect(thesaurus.opposed(group("get"), group("list"))).toBe(false);
  });
});

describe("createTranslator()", () => {
  const translator = createTranslator();

  test("has no line with an English word alone", () => {
    expect(FOREIGN_WORDS.filter((line) => line.split(" ").length < 5)).toEqual([]);
  });

  const words: readonly (readonly [string, ...string[]])[] = [
    ["loschen", "delete"],
    ["buscar", "search"],
    ["supprimer", "delete"],
    ["создать", "create"],
    ["criar", "create"],
    ["xyzzy"],
  ];
  for (const [word, ...meanings] of words) {
    test(`${word} means ${meanings.join(", ") || "nothing"}`, () => {
      expect(translator.word(word)).toEqual(meanings.map(stem));
    });
  }

  test("reads a text without spaces, longest words first", () => {
    expect(translator.run("创建一个文件夹").map((found) => found.piece)).toEqual([
      "创建",
      "文件夹",
    ]);
    expect(translator.run("ファイルを削除").map((found) => found.stem)).toEqual(
      ["file", "delete"].map(stem),
    );
  });
});
