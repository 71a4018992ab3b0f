// English words for the words of a request in another language, from the table in languages.ts.
import { FOREIGN_WORDS } from "./languages.ts";
import { stem } from "./stem.ts";
import { fold, hasDenseScript } from "./words.ts";

export interface Translator {
  /** English stems for a word of a language with spaces; empty for a word the table lacks. */
  word(text: string): readonly string[];
  /** English stems, and the piece each stands for, in a run of a script without spaces. */
  run(text: string): readonly { readonly piece: string; readonly stem: string }[];
}

/** An inflected word may be longer than the table's stem by this many letters. */
const MAX_ENDING = 5;
const MIN_PREFIX = 4;
const MAX_DENSE_KEY = 8;

export function createTranslator(): Translator {
  // Read at the first request that is not English.
  let tables: Tables | undefined;
  const table = (): Tables => {
    tables ??= readTables();
    return tables;
  };
  return {
    word(text) {
      const exact = table().spaced.get(text);
      if (exact !== undefined) return exact;
      const shortest = Math.max(MIN_PREFIX, text.length - MAX_ENDING);
      for (let end = text.length - 1; end >= shortest; end--) {
        const found = table().spaced.get(text.slice(0, end));
        if (found !== undefined) return found;
      }
      return [];
    },
    run(text) {
      const { dense } = table();
      const found: { piece: string; stem: string }[] = [];
      let at = 0;
      while (at < text.length) {
        const piece = longestKey(text, at, dense);
        if (piece === undefined) {
          at++;
          continue;
        }
        for (const meaning of dense.get(piece) ?? []) found.push({ piece, stem: meaning });
        at += piece.length;
      }
      return found;
    },
  };
}

interface Tables {
  readonly spaced: ReadonlyMap<string, readonly string[]>;
  readonly dense: ReadonlyMap<string, readonly string[]>;
}

function readTables(): Tables {
  const spaced = new Map<string, string[]>();
  const dense = new Map<string, string[]>();
  for (const line of FOREIGN_WORDS) {
    const [english = "", ...words] = line.split(" ");
    const meaning = stem(english);
    for (const word of words) {
      const key = fold(word);
      const table = hasDenseScript(key) ? dense : spaced;
      const known = table.get(key);
      if (known === undefined) table.set(key, [meaning]);
      else if (!known.includes(meaning)) known.push(meaning);
    }
  }
  return { spaced, dense };
}

function longestKey(
  text: string,
  at: number,
  keys: ReadonlyMap<string, unknown>,
): string | undefined {
  for (let length = Math.min(MAX_DENSE_KEY, text.length - at); length > 0; length--) {
    const piece = text.slice(at, at + length);
    if (keys.has(piece)) return piece;
  }
  return undefined;
}
