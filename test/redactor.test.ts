import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRedactor } from "../lib/redactor.ts";

function redactorOf(...secrets: string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

describe("redact()", () => {
  test("takes out every secret of six characters and more, the longest first", () => {
    const { redact } = redactorOf("secret-1", "secret-1-and-more", "short", "postgres");
    expect(redact("a secret-1-and-more b secret-1 c short d postgres")).toBe(
      "a [secret] b [secret] c short d [secret]",
    );
  });

  test("takes out a secret with half a character in it", () => {
    const { redact } = redactorOf("secret-\ud83d");
    expect(redact("a secret-\ud83d b secret-%EF%BF%BD c")).toBe("a [secret] b [secret] c");
  });

  test("takes out the form a URL gives a secret", () => {
    expect(redactorOf("a b/c=d").redact("?k=a%20b%2Fc%3Dd&x")).toBe("?k=[secret]&x");
  });
});

describe("redactJson()", () => {
  const SECRETS = ["tok-old-1", 'with"quote\\', "123456", "postgres", "acme-corp"];

  test.each([
    ['{"text":"it is tok-old-1!"}', '{"text":"it is [secret]!"}'],
    ['{"a":["tok-old-1",{"b":"xtok-old-1"}]}', '{"a":["[secret]",{"b":"x[secret]"}]}'],
    // Escaped in JSON, whatever the escape.
    [JSON.stringify({ t: 'a with"quote\\ b' }), '{"t":"a [secret] b"}'],
    // Numbers, member names, ids and methods are protocol.
    ['{"n":123456,"s":"123456"}', '{"n":123456,"s":"123456"}'],
    ['{"tok-old-1":1,"x":"y tok-old-1"}', '{"tok-old-1":1,"x":"y [secret]"}'],
    ['{"id" : "tok-old-1","method":"tok-old-1"}', '{"id" : "tok-old-1","method":"tok-old-1"}'],
    ['[{"id":1},"tok-old-1"]', '[{"id":1},"[secret]"]'],
    // An ordinary word is no secret here.
    ['{"text":"the postgres database"}', '{"text":"the postgres database"}'],
    // A tool's name may contain what is also a header; a name that is the secret goes.
    ['{"name":"acme-corp_search"}', '{"name":"acme-corp_search"}'],
    ['{"name":"acme-corp"}', '{"name":"[secret]"}'],
    ['{"name":"server of acme-corp"}', '{"name":"server of [secret]"}'],
    // What holds none stays to the byte.
    ['{ "a" : 1.0, "b":12345678901234567890 }', '{ "a" : 1.0, "b":12345678901234567890 }'],
    ['{"n":12345678901234567890,"s":"tok-old-1"}', '{"n":12345678901234567890,"s":"[secret]"}'],
  ])("makes %p %p", (json, expected) => {
    expect(redactorOf(...SECRETS).redactJson(json)).toBe(expected);
  });

  test("gives valid JSON that does not hold the secret in any value", () => {
    const secret = fc
      .string({ minLength: 6, maxLength: 20 })
      // A word with a capital is an ordinary word.
      .filter((text) => /[a-z]/.test(text) && /[^a-z]/.test(text) && !/^[A-Z][a-z]+$/.test(text));
    fc.assert(
      fc.property(secret, fc.jsonValue(), fc.string(), (planted, value, around) => {
        const json = JSON.stringify({
          before: value,
          planted: `${around}${planted}`,
          after: [planted],
        });
        const redacted = JSON.parse(redactorOf(planted).redactJson(json));
        expect(redacted.after).toEqual(["[secret]"]);
        expect(redacted.planted.includes(planted)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe("jsonForms()", () => {
  test("are in every JSON text that redactJson changes, and in no other one", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 16, maxLength: 30 }), fc.jsonValue(), (secret, value) => {
        const redactor = redactorOf(secret);
        for (const planted of [secret, "nothing"]) {
          const json = JSON.stringify({ value, planted: `before ${planted}` });
          const isThere = redactor.jsonForms().some((form) => json.includes(form));
          expect(redactor.redactJson(json) !== json).toBe(isThere);
        }
      }),
    );
  });
});
