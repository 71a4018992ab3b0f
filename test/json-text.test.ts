import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  appendElement,
  arrayElements,
  memberText,
  objectMembers,
  replaceMember,
} from "../lib/json-text.ts";

const B = '{"x":[1, {"y":"}\\"]"}],"\\u0078":1e400}';
const ODD = ` { "a" : 12345678901234567890 , "b":${B},"a": -0.0 }\n`;

describe("memberText()", () => {
  const table: [string, string, string[], string | undefined][] = [
    ["keeps a number beyond 2^53", '{"n":90071992547409931}', ["n"], "90071992547409931"],
    ["takes the last of repeated members", ODD, ["a"], "-0.0"],
    ["compares keys after unescaping", ODD, ["b", "x"], "1e400"],
    ["is not misled by brackets and quotes in strings", ODD, ["b"], B],
    ["gives the whole text for an empty path", " [1] ", [], "[1]"],
    ["finds an empty key", '{"":{"":""}}', ["", ""], '""'],
    ["finds __proto__", '{"__proto__":{"a":1}}', ["__proto__", "a"], "1"],
    ["knows strings that end in backslashes", '{"a":"\\\\","b":"\\\\\\""}', ["b"], '"\\\\\\""'],
    ["gives undefined for a missing member", '{"a":{}}', ["a", "b"], undefined],
    ["gives undefined below an array", '{"a":[{"b":1}]}', ["a", "b"], undefined],
    ["gives undefined below a string", '{"a":"b"}', ["a", "b"], undefined],
    [
      "gives undefined when the last repeat has no such member",
      '{"a":{"b":1},"a":2}',
      ["a", "b"],
      undefined,
    ],
  ];
  test.each(table)("%s", (_, text, path, expected) => {
    expect(memberText(text, path)).toBe(expected as string);
  });

  test("agrees with JSON.parse for every member of any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        for (const [key, value] of Object.entries(object)) {
          const found = memberText(text, [key]);
          expect(found).toBeDefined();
          expect(JSON.parse(found ?? "")).toEqual(JSON.parse(JSON.stringify(value)));
        }
      }),
    );
  });

  test("reads a text nested 100,000 deep", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(memberText(`{"a":${deep},"b":1}`, ["b"])).toBe("1");
  });
});

describe("replaceMember()", () => {
  const table: [string, string, string[], string, string][] = [
    ["changes nothing else", ODD, ["b", "x"], "null", ODD.replace("1e400", "null")],
    ["replaces the last of repeated members", '{"a":1,"a":2}', ["a"], "3", '{"a":1,"a":3}'],
    ["adds a missing last member", '{"p":{"a":1 }}', ["p", "b"], "[]", '{"p":{"a":1 ,"b":[]}}'],
    ["adds to an empty object", '{"p":{ }}', ["p", "b"], "2", '{"p":{ "b":2}}'],
    ["quotes an added key", "{}", ['a"b'], "2", '{"a\\"b":2}'],
    ["replaces the whole for an empty path", " 1 ", [], "2", " 2 "],
  ];
  test.each(table)("%s", (_, text, path, value, expected) => {
    expect(replaceMember(text, path, value)).toBe(expected);
  });

  test("refuses a path whose parent is no object", () => {
    expect(() => replaceMember('{"a":[]}', ["a", "b"], "1")).toThrow(
      'Cannot set "a.b": an object around it is wanted',
    );
  });

  test("does to the text what assignment does to the value", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.jsonValue(),
        (object, key, value) => {
          const text = replaceMember(JSON.stringify(object), [key], JSON.stringify(value));
          const wanted = new Map(Object.entries(JSON.parse(JSON.stringify(object))));
          wanted.set(key, JSON.parse(JSON.stringify(value)));
          expect(new Map(Object.entries(JSON.parse(text)))).toEqual(wanted);
        },
      ),
    );
  });
});

describe("appendElement()", () => {
  const table: [string, string, string[], string, string][] = [
    ["adds after the last element", '{"c":[1, 2 ]}', ["c"], "3", '{"c":[1, 2 ,3]}'],
    ["adds to an empty array", '{"c":[ ]}', ["c"], "{}", '{"c":[ {}]}'],
    ["adds at the top", "[0]", [], "1", "[0,1]"],
  ];
  test.each(table)("%s", (_, text, path, element, expected) => {
    expect(appendElement(text, path, element)).toBe(expected);
  });

  test("refuses what is no array", () => {
    expect(() => appendElement('{"a":{}}', ["a"], "1")).toThrow(
      'Cannot append to "a": an array is wanted',
    );
  });
});

describe("objectMembers()", () => {
  test("lists members in order with their raw text, repeated ones too", () => {
    expect(objectMembers(ODD)).toEqual([
      { key: "a", text: "12345678901234567890" },
      { key: "b", text: B },
      { key: "a", text: "-0.0" },
    ]);
  });

  test("has none for other values and for {}", () => {
    expect(["{}", " { } ", "[1]", '"{}"', "null"].map(objectMembers)).toEqual([[], [], [], [], []]);
  });
});

describe("arrayElements()", () => {
  test.each<[string, readonly string[]]>([
    ["[]", []],
    [" [ 1 , 2.50 ] ", ["1", "2.50"]],
    ['["a]b",[1,[2]],{"x":[3]},null]', ['"a]b"', "[1,[2]]", '{"x":[3]}', "null"]],
    ["[12345678901234567890]", ["12345678901234567890"]],
    ["{}", []],
    ["5", []],
  ])("splits %p", (text, expected) => {
    expect(arrayElements(text)).toEqual(expected);
  });

  test("gives texts that parse to the elements", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const elements = arrayElements(JSON.stringify(values)).map((text) => JSON.parse(text));
        expect(elements).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });
});
