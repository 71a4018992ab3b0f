// Text to words: lower case, accents folded, camelCase opened, scripts without spaces cut into
// pairs of characters. Order is kept. Stems and stop words are left to others.

/** Longer runs of letters are base64, hashes and the like; they are cut here. */
const MAX_WORD = 48;
/** A text in a script without spaces may be one run; more of it is not read. */
const MAX_FOREIGN_RUN = 2000;

/**
 * Runs of letters and digits, with an apostrophe's ending: everything but ASCII signs, Latin-1
 * signs, general punctuation, arrows, boxes and ideographic punctuation.
 */
const RUN =
  /[0-9A-Za-z\u00c0-\u1fff\u2c00-\u2fff\u3005-\uffff]+(?:['\u2019](?:s|t|re|ve|ll|d|m)(?![0-9A-Za-z]))?/g;
const ASCII = /^[0-9A-Za-z]+$/;
const PLAIN = /^[ -~]*$/;

/** The pieces of a text that hold words, as written. */
export function splitRuns(text: string): readonly string[] {
  return text.match(RUN) ?? [];
}

/** The words of one run in a running text. A camelCase word gives its parts and itself. */
export function runWords(run: string): readonly string[] {
  const own = withoutEnding(run);
  if (!ASCII.test(own)) return foreignWords(own);
  const parts = camelParts(own);
  return parts === undefined ? [lower(own)] : [...parts, lower(own)];
}

/** The words that one run of a name is made of. */
export function runNameWords(run: string): readonly string[] {
  const own = withoutEnding(run);
  if (!ASCII.test(own)) return foreignWords(own);
  return camelParts(own) ?? [lower(own)];
}

/** The words a name is made of: `getUserByID` and `get-user_by.id` give get, user, by, id. */
export function nameWords(name: string): string[] {
  return splitRuns(name).flatMap(runNameWords);
}

/** How a name of two or more words is written in running text, such as `GitHub` or `createIssue`. */
export interface Compound {
  readonly whole: string;
  readonly parts: readonly string[];
  /** `GitHub`, `PowerPoint`: most likely a proper name; `createIssue` is an identifier. */
  readonly proper: boolean;
}

/** The words of a request: a camelCase word stays together. */
export function queryWords(text: string): (string | Compound)[] {
  return splitRuns(text).flatMap((run): (string | Compound)[] => {
    const own = withoutEnding(run);
    const parts = ASCII.test(own) ? camelParts(own) : undefined;
    if (parts === undefined) return [...runWords(own)];
    return [{ whole: lower(own), parts, proper: isUpper(own.charCodeAt(0)) }];
  });
}

/** user's: user */
function withoutEnding(run: string): string {
  if (ASCII.test(run)) return run;
  const at = run.search(/['\u2019]/);
  return at < 0 ? run : run.slice(0, at);
}

/** A name or query without case, accents and separators, to tell whether two mean the same name. */
export function squash(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
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

/** What no dense script is below; spares ordinary text the large pattern. */
const FAR = /[\u0e00-\uffff]/;

export function hasDenseScript(text: string): boolean {
  return FAR.test(text) && DENSE.test(text);
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

function foreignWords(run: string): string[] {
  const words: string[] = [];
  const opened = run.slice(0, MAX_FOREIGN_RUN).replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const folded = fold(opened);
  for (const [piece] of folded.matchAll(/[\p{L}\p{N}\p{M}ー々]+/gu)) {
    if (!hasDenseScript(piece)) {
      words.push(lower(piece));
      continue;
    }
    splitDense(piece, words);
  }
  return words;
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
