// Text to words: lower case, accents folded, camelCase opened, scripts without spaces cut into
// pairs of characters. Order is kept. Stems and stop words are left to others.

/** Longer runs of letters are base64, hashes and the like; they are cut here. */
const MAX_WORD = 48;

/** The words of a running text. A camelCase word gives itself and its parts. */
export function textWords(text: string): string[] {
  const words: string[] = [];
  eachRun(text, (run, ascii) => {
    if (!ascii) return foreignWords(run, words);
    const parts = camelParts(run);
    if (parts === undefined) {
      words.push(lower(run));
      return;
    }
    for (const part of parts) words.push(part);
    words.push(lower(run));
  });
  return words;
}

/** How a name of two or more words is written in running text, such as `GitHub` or `createIssue`. */
export interface Compound {
  readonly whole: string;
  readonly parts: readonly string[];
  /** `GitHub`, `PowerPoint`: most likely a proper name; `createIssue` is an identifier. */
  readonly proper: boolean;
}

/** The words of a request: as `textWords`, but a camelCase word stays together. */
export function queryWords(text: string): (string | Compound)[] {
  const words: (string | Compound)[] = [];
  eachRun(text, (run, ascii) => {
    if (!ascii) {
      const foreign: string[] = [];
      foreignWords(run, foreign);
      words.push(...foreign);
      return;
    }
    const parts = camelParts(run);
    if (parts === undefined) words.push(lower(run));
    else words.push({ whole: lower(run), parts, proper: isUpper(run.charCodeAt(0)) });
  });
  return words;
}

/** The words a name is made of: `getUserByID` and `get-user_by.id` give get, user, by, id. */
export function nameWords(name: string): string[] {
  const words: string[] = [];
  eachRun(name, (run, ascii) => {
    if (!ascii) return foreignWords(run, words);
    const parts = camelParts(run);
    if (parts === undefined) words.push(lower(run));
    else for (const part of parts) words.push(part);
  });
  return words;
}

/** A name or query without case, accents and separators, to tell whether two mean the same name. */
export function squash(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Lower case, compatibility forms and Latin accents folded. */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u0400-\u04ff]+/g, (letters) =>
      letters.normalize("NFD").replace(/[\u0300-\u036f]/g, ""),
    )
    .replace(/ß/g, "ss");
}

/** Han, kana, Hangul, and the scripts of South-East Asia that are written without spaces. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;

export function hasDenseScript(text: string): boolean {
  return DENSE.test(text);
}

/**
 * The index terms of a run in a script without spaces: each pair of neighbours, and each Han
 * character, which often is a word.
 */
export function densePairs(run: string): string[] {
  const characters = Array.from(run);
  const pairs: string[] = [];
  for (const [i, character] of characters.entries()) {
    if (characters.length === 1 || /\p{Script=Han}/u.test(character)) pairs.push(character);
    const next = characters[i + 1];
    if (next !== undefined) pairs.push(character + next);
  }
  return pairs;
}

function lower(run: string): string {
  return (run.length > MAX_WORD ? run.slice(0, MAX_WORD) : run).toLowerCase();
}

type OnRun = (run: string, ascii: boolean) => void;

const OTHER = 0;
const WORD = 1;
const FOREIGN = 2;

function kind(code: number): number {
  if (code < 128) {
    const isWord =
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    return isWord ? WORD : OTHER;
  }
  // Latin-1 signs, general punctuation, arrows, boxes and other symbols
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2c00)) return OTHER;
  if (code >= 0x3000 && code < 0x3005) return OTHER;
  return FOREIGN;
}

/** Runs of letters and digits. What follows an apostrophe ('s, 't, 're) is dropped. */
function eachRun(text: string, onRun: OnRun): void {
  const end = text.length;
  let i = 0;
  while (i < end) {
    let k = kind(text.charCodeAt(i));
    if (k === OTHER) {
      i++;
      continue;
    }
    const start = i;
    let ascii = true;
    while (k !== OTHER) {
      if (k === FOREIGN) ascii = false;
      i++;
      if (i >= end) break;
      k = kind(text.charCodeAt(i));
    }
    onRun(text.slice(start, i), ascii);
    const c = i < end ? text.charCodeAt(i) : 0;
    if (c === 39 || c === 0x2019) i = afterApostrophe(text, i);
  }
}

function afterApostrophe(text: string, at: number): number {
  let i = at + 1;
  while (i < text.length && i <= at + 3 && kind(text.charCodeAt(i)) === WORD) i++;
  return i - at <= 3 ? i : at + 1;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** Lower-case parts of a camelCase run, or undefined when it has one part only. */
function camelParts(run: string): string[] | undefined {
  let parts: string[] | undefined;
  let start = 0;
  for (let i = 1; i < run.length; i++) {
    const code = run.charCodeAt(i);
    if (!isUpper(code)) continue;
    const before = run.charCodeAt(i - 1);
    const after = i + 1 < run.length ? run.charCodeAt(i + 1) : 0;
    // aB and 1B begin a part; of ABc the B does, unless all that follows is a plural s (IDs, URLs)
    const pluralEnd = after === 115 && !isLower(i + 2 < run.length ? run.charCodeAt(i + 2) : 0);
    const begins = !isUpper(before) || (isLower(after) && !pluralEnd);
    if (!begins) continue;
    parts ??= [];
    parts.push(lower(run.slice(start, i)));
    start = i;
  }
  parts?.push(lower(run.slice(start)));
  return parts;
}

function foreignWords(run: string, words: string[]): void {
  const folded = fold(run.length > 2000 ? run.slice(0, 2000) : run);
  for (const [piece] of folded.matchAll(/[\p{L}\p{N}\p{M}ー々]+/gu)) {
    if (!hasDenseScript(piece)) {
      words.push(lower(piece));
      continue;
    }
    splitDense(piece, words);
  }
}

function splitDense(piece: string, words: string[]): void {
  let run = "";
  let dense = false;
  const flush = () => {
    if (run === "") return;
    if (dense) words.push(...densePairs(run));
    else words.push(lower(run));
    run = "";
  };
  for (const character of piece) {
    const isDense: boolean = DENSE.test(character) || (dense && /\p{M}/u.test(character));
    if (isDense !== dense) {
      flush();
      dense = isDense;
    }
    run += character;
  }
  flush();
}
