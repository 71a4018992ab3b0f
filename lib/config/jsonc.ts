// JSON as people write it in configuration files: comments, trailing commas, a byte-order mark.
// A parser of our own because JSON.parse tells neither where a text is wrong nor that a member is
// there twice, and both are what a person with a broken file needs to know. The usual, right file
// servers-file.ts reads with JSON.parse, ten times sooner. Pure.
import { FacadeError } from "../errors.ts";
import type { JsonObject } from "../json-rpc.ts";

/** The text is not JSON with comments; the message is `line 3, column 5: found X, wanted Y`. */
export class JsoncError extends FacadeError {
  override readonly name = "JsoncError";
  readonly line: number;
  readonly column: number;

  constructor(options: { readonly line: number; readonly column: number; readonly state: string }) {
    super("jsonc", `line ${options.line}, column ${options.column}: ${options.state}`);
    this.line = options.line;
    this.column = options.column;
  }
}

export type JsonPath = readonly (string | number)[];

export interface ParsedJsonc {
  readonly value: unknown;
  /** Members that occur more than once in their object; the last one is in `value`. */
  readonly duplicates: readonly JsonPath[];
}

const MAX_DEPTH = 200;

/** Throws `JsoncError`. Members called `__proto__` become plain own members, as with JSON.parse. */
export function parseJsonc(text: string): ParsedJsonc {
  const reader = new Reader(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  const value = reader.document();
  return { value, duplicates: reader.duplicates };
}

class Reader {
  readonly duplicates: JsonPath[] = [];
  readonly #text: string;
  #at = 0;
  readonly #path: (string | number)[] = [];
  readonly #blank = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  readonly #scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
  readonly #openString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) this.#fail("the end of the file");
    return value;
  }

  #value(): unknown {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === "{") return this.#object();
    if (first === "[") return this.#array();
    if (first === '"') return this.#string();
    const scalar = this.#match(this.#scalar);
    return scalar === "" ? this.#fail("a value") : JSON.parse(scalar);
  }

  #object(): JsonObject {
    const object: JsonObject = {};
    this.#open();
    for (;;) {
      this.#skip();
      if (this.#take("}")) return object;
      if (this.#text[this.#at] !== '"') this.#fail('a name in double quotes or "}"');
      const name = this.#string();
      this.#skip();
      if (!this.#take(":")) this.#fail('":"');
      this.#path.push(name);
      if (Object.hasOwn(object, name)) this.duplicates.push([...this.#path]);
      const value = this.#value();
      this.#path.pop();
      Object.defineProperty(object, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      this.#skip();
      if (!this.#take(",") && this.#text[this.#at] !== "}") this.#fail('"," or "}"');
    }
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#open();
    for (;;) {
      this.#skip();
      if (this.#take("]")) return array;
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      this.#skip();
      if (!this.#take(",") && this.#text[this.#at] !== "]") this.#fail('"," or "]"');
    }
  }

  #open(): void {
    if (this.#path.length >= MAX_DEPTH) this.#fail(`at most ${MAX_DEPTH} levels`);
    this.#at++;
  }

  #string(): string {
    const opened = this.#match(this.#openString);
    if (this.#take('"')) return JSON.parse(`${opened}"`);
    if (this.#text[this.#at] === "\\") return this.#fail("a known escape such as \\n or \\\\");
    return this.#fail('the closing quote `"` on the same line');
  }

  /** What the sticky expression finds here, which is then behind us; empty when nothing. */
  #match(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skip(): void {
    this.#match(this.#blank);
    if (this.#text.startsWith("/*", this.#at)) {
      this.#at = this.#text.length;
      this.#fail('"*/" that closes the comment');
    }
  }

  #fail(wanted: string): never {
    const lines = this.#text.slice(0, this.#at).split(/\r\n|\r|\n/);
    const column = (lines.at(-1) ?? "").length + 1;
    throw new JsoncError({
      line: lines.length,
      column,
      state: `found ${this.#found()}, wanted ${wanted}`,
    });
  }

  /** A single sign or bare word: a longer piece could show a secret. */
  #found(): string {
    const sign = this.#text[this.#at];
    if (sign === undefined) return "the end of the file";
    if (sign === "\n" || sign === "\r") return "the end of the line";
    if (sign < " ") return "a control character";
    return sign === '"'
      ? '`"`'
      : `"${String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)}"`;
  }
}
