// The first sentence of a description, DESIGN.md section 6. Pure.
// The result is always a beginning of the text with its white space folded: nothing is reworded.

/** UTF-16 units a shown description may have. */
export const SENTENCE_LIMIT = 140;

/** A cut sentence ends at a clause or a word if that keeps at least this share of the limit. */
const WORD_SHARE = 0.6;

/** Some end a sentence before a space or at the end of the text, wide ones anywhere. */
const STOP = /[.!?؟](?= |$)|[。！？｡।॥۔።။៕]/;
/** What closes behind a wide stop belongs to its sentence. */
const CLOSERS = "」』）】》”’";

/** Words that a dot may follow inside a sentence, whatever comes next; also `U.S`, `a.m`, `z.B`. */
const ABBREVIATION =
  /^(?:(?:\p{L}\.)+\p{L}|eg|ie|etc|vs|cf|approx|resp|incl|excl|viz|al|mr|mrs|ms|dr|prof|st|bzw|vgl|usw)$/u;
/** Words that a dot may follow inside a sentence when a small letter or a digit comes next. */
const OPEN_ABBREVIATION =
  /^(?:nos?|min|max|avg|std|figs?|vol|pp?|pg|sec|ch|eds?|inc|ltd|co|corp|dept|est|ex|def|opt|num|ver|temp|refs?|jr|sr|ca|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/;
/** First words that say nothing by themselves: the sentence goes on behind them. */
const LABEL =
  /^(?:optional|required|read-?only|deprecated|experimental|beta|alpha|notes?|important|warning|caution|tip)$/;
const NEXT_CONTINUES = /^ [\p{Ll}\p{N}]/u;
/** A low surrogate, a mark, a joiner, a skin tone. */
const PART_OF_CHARACTER = /^(?:[\udc00-\udfff]|\p{M}|\u200c|\u200d|\p{Emoji_Modifier})/u;
/** Everything before the last mark or space that parts two clauses. */
const CLAUSES = /^.*(?=[,;:] | [(–—-]|[，、；：（])/;
const OPENING_END = /[\s,;:([{–—-]+$/u;
const HAS_LETTER = /\p{L}/u;

/** White space that folding changes. */
const UNFOLDED = /[^\S ]| {2}|^ | $/;

/** The first sentence, at most `limit` UTF-16 units. */
export function firstSentence(text: string, limit: number = SENTENCE_LIMIT): string {
  const head = foldHead(text, limit + 2);
  let from = 0;
  for (let at = head.search(STOP); at !== -1; at = head.slice(from).search(STOP)) {
    const index = from + at;
    from = index + 1;
    let end = from;
    if (head.charCodeAt(index) > 0x6d4) {
      while (end < head.length && CLOSERS.includes(head.charAt(end))) end++;
    }
    if (end > limit) break;
    if (endsSentence(head, index)) return head.slice(0, end);
  }
  return head.length <= limit ? head : cutAtWord(head, limit);
}

/** At least the first `wanted` units of the text with white space folded, or all of it. */
function foldHead(text: string, wanted: number): string {
  const start = text.length <= wanted ? text : text.slice(0, wanted);
  if (!UNFOLDED.test(start)) return start;
  const trimmed = text.trim();
  const head = trimmed.slice(0, wanted * 4);
  const folded = head.replace(/\s+/g, " ");
  if (folded.length >= wanted || head.length === trimmed.length) return folded;
  return trimmed.replace(/\s+/g, " ");
}

/** Whether the stop at `index` ends a sentence and is no part of an abbreviation, number or label. */
function endsSentence(text: string, index: number): boolean {
  const stop = text.charAt(index);
  if (stop !== "." && stop !== "!") return true;
  const start = startOfWord(text, index);
  const word = text.slice(start, index).toLowerCase();
  if (start === 0 && LABEL.test(word)) return index + 1 === text.length;
  if (stop === "!") return true;
  const continues = NEXT_CONTINUES.test(text.slice(index + 1, index + 4));
  // "..." goes on when a small letter follows; "1." and "a." at the start number a list.
  if (word === "" || word.endsWith(".")) return !(continues && text.charAt(index - 1) === ".");
  if (start < 4 && !HAS_LETTER.test(text.slice(0, index))) return false;
  if (index === 1 && text.length > 2) return false;
  if (ABBREVIATION.test(word)) return false;
  return !(continues && OPEN_ABBREVIATION.test(word));
}

/** Where the letters, digits, dots and hyphens begin that end before `index`. */
function startOfWord(text: string, index: number): number {
  let start = index;
  while (start > 0 && isWordCode(text.charCodeAt(start - 1))) start--;
  return start;
}

function isWordCode(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  const isDigit = code >= 48 && code <= 57;
  return isLetter || isDigit || code >= 128 || code === 46 || code === 45 || code === 95;
}

/**
 * At most `limit` units, never ending inside a character: at the end of a clause or else of a word if
 * that is not too far back.
 */
function cutAtWord(text: string, limit: number): string {
  const shortest = Math.floor(limit * WORD_SHARE);
  const clauses = CLAUSES.exec(text.slice(0, limit))?.[0] ?? "";
  if (clauses.length >= shortest) return clauses.replace(OPENING_END, "");
  const space = text.lastIndexOf(" ", limit);
  if (space >= shortest) return text.slice(0, space).replace(OPENING_END, "");
  let end = limit;
  while (end > 1 && isInsideCharacter(text, end)) end--;
  return text.slice(0, end).trimEnd();
}

/** Whether cutting before `index` would part a surrogate pair or a base from its marks and joiners. */
function isInsideCharacter(text: string, index: number): boolean {
  const next = text.slice(index, index + 2);
  return PART_OF_CHARACTER.test(next) || text.charCodeAt(index - 1) === 0x200d;
}
