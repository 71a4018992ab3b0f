// Takes out of a text what a model would read and a person would not see: control characters,
// terminal escapes, tag characters, direction controls, zero-width characters, fillers. Pure.
// Line breaks (as \n) and tabs stay. Joiners and emoji selectors stay only where the text looks
// different without them; ideographic variation selectors go, since hundreds of invisible values
// behind any character carry a hidden message better than they carry a glyph.

/** Anything that may have to go; characters beyond the BMP are found by their leading surrogate. */
const SUSPECT =
  /[\u034f\u180b-\u180f\ufe00-\ufe0f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u17b4-\u17b5\u115f-\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]/;

/**
 * ECMA-48: control sequences, terminated control strings (window titles, links, device strings),
 * other escapes. No alternative can scan past the start of the next one: the time is linear.
 */
const ESCAPE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g;

const INVISIBLE =
  /[\u034f\u180b-\u180f\ufe00-\ufe0d\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u17b4-\u17b5\u115f-\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

const JOINER = /\u200c|\u200d|\ufe0e|\ufe0f/g;
const ENDS_WITH_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const ENDS_WITH_STYLED_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const STARTS_WITH_EMOJI = /^\p{Extended_Pictographic}/u;
/** Scripts whose letters change shape by joiners: Arabic to Thaana and N'Ko, Indic, Khmer, Mongolian. */
const JOINING_LETTER = /[\u0600-\u08ff\u0900-\u0dff\u1780-\u17d3\u1820-\u18aa]/;

/** The text without what cannot be seen. Lone surrogates become U+FFFD. Returns clean text as it is. */
export function visibleText(text: string): string {
  if (!SUSPECT.test(text) && text.isWellFormed()) return text;
  return text
    .toWellFormed()
    .replace(ESCAPE, "")
    .replace(LINE_BREAK, "\n")
    .replace(INVISIBLE, "")
    .replace(JOINER, (joiner, offset: number, whole: string) =>
      isJoinerSeen(
        joiner,
        whole.slice(Math.max(0, offset - 3), offset),
        whole.slice(offset + 1, offset + 3),
      )
        ? joiner
        : "",
    );
}

/** The visible text on one line: each run of white space is one space. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ");
}

/** @param before up to three code units, @param after up to two */
function isJoinerSeen(joiner: string, before: string, after: string): boolean {
  const next = after.charAt(0);
  if (joiner === "\ufe0e" || joiner === "\ufe0f") {
    return ENDS_WITH_EMOJI.test(before) || (next === "\u20e3" && /[#*0-9]$/.test(before));
  }
  if (JOINING_LETTER.test(before.slice(-1)) && JOINING_LETTER.test(next)) return true;
  return (
    joiner === "\u200d" && ENDS_WITH_STYLED_EMOJI.test(before) && STARTS_WITH_EMOJI.test(after)
  );
}
