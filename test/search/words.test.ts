import { describe, expect, test } from "bun:test";
import {
  fold,
  nameWords,
  queryWords,
  runWords,
  splitRuns,
  squash,
} from "../../lib/search/words.ts";

describe("nameWords()", () => {
  const names: readonly (readonly [string, ...string[]])[] = [
    ["getUserByID", "get", "user", "by", "id"],
    ["list-contacts", "list", "contacts"],
    ["merge_pull_request", "merge", "pull", "request"],
    ["compute.instances.get", "compute", "instances", "get"],
    ["HTMLParser", "html", "parser"],
    ["listURLs", "list", "urls"],
    ["getIDs2", "get", "ids2"],
    ["GET", "get"],
    ["créerFichier", "creer", "fichier"],
    ["创建文件", "创", "创建", "建", "建文", "文", "文件", "件"],
    ["get天気", "get", "天", "天気", "気"],
    ["__", ...[]],
  ];
  for (const [name, ...words] of names) {
    test(`${name} is made of ${words.join(" ") || "nothing"}`, () => {
      expect(nameWords(name)).toEqual(words);
    });
  }
});

describe("runWords()", () => {
  test("gives a camelCase word and its parts, and drops endings behind an apostrophe", () => {
    expect(splitRuns("A user's GitHub repos, don’t!").flatMap(runWords)).toEqual([
      ...["a", "user", "git", "hub", "github", "repos", "don"],
    ]);
  });

  test("cuts endless words", () => {
    expect(runWords("a".repeat(5000))).toEqual(["a".repeat(48)]);
  });
});

describe("queryWords()", () => {
  test("keeps names of two words together and tells proper names from identifiers", () => {
    expect(queryWords("in GitHub createIssue now")).toEqual([
      "in",
      { whole: "github", parts: ["git", "hub"], proper: true },
      { whole: "createissue", parts: ["create", "issue"], proper: false },
      "now",
    ]);
  });
});

describe("fold()", () => {
  test("takes case, Latin and Cyrillic accents and full width away, and leaves kana alone", () => {
    expect(fold("ÉCOLE Straße Ёлка ＡＢＣ ガ")).toBe("ecole strasse елка abc ガ");
  });
});

describe("squash()", () => {
  test("makes spellings of one name equal", () => {
    const spellings = ["createIssue", "create_issue", "Create-Issue", " create issue "];
    expect(spellings.map(squash)).toEqual(spellings.map(() => "createissue"));
  });
});
