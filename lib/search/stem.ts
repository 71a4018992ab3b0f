// English stems after Porter (1980), with British spellings folded to American ones first.
// Both sides of a search pass through here, so a wrong but consistent stem does no harm.

/** Words whose stem the rules get wrong, and that tools use often. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["analyses", "analysi"],
  ["analytics", "analysi"],
  ["analyze", "analysi"],
  ["analyse", "analysi"],
  ["analysing", "analysi"],
  ["analyzing", "analysi"],
  ["analyzes", "analysi"],
  ["analyzed", "analysi"],
  ["analyzer", "analysi"],
  ["indices", "index"],
  ["indexes", "index"],
  ["matrices", "matrix"],
  ["vertices", "vertex"],
  ["people", "person"],
  ["persons", "person"],
  ["children", "child"],
  ["ids", "id"],
  ["ips", "ip"],
  ["vms", "vm"],
  ["prs", "pr"],
  ["mrs", "mr"],
  ["dbs", "db"],
  ["pcs", "pc"],
  ["tvs", "tv"],
  ["cvs", "cv"],
  ["data", "data"],
  ["news", "news"],
  ["status", "status"],
  ["statuses", "status"],
  ["alias", "alias"],
  ["aliases", "alias"],
  ["canvas", "canvas"],
  ["bus", "bus"],
  ["address", "address"],
  ["addresses", "address"],
  ["sent", "send"],
  ["built", "build"],
  ["found", "find"],
  ["got", "get"],
  ["ran", "run"],
  ["written", "write"],
  ["wrote", "write"],
  ["made", "make"],
  ["shown", "show"],
  ["taken", "take"],
  ["chosen", "choose"],
  ["bought", "buy"],
  ["sold", "sell"],
  ["paid", "pay"],
  ["spent", "spend"],
  ["creation", "creat"],
  ["creations", "creat"],
  ["subscription", "subscrib"],
  ["subscriptions", "subscrib"],
  ["description", "describ"],
  ["descriptions", "describ"],
  ["resolution", "resolv"],
  ["conversion", "convert"],
  ["transcription", "transcrib"],
  ["payment", "pay"],
  ["payments", "pay"],
  ["licence", "licens"],
  ["licences", "licens"],
  ["defence", "defens"],
  ["offence", "offens"],
  ["grey", "gray"],
]);

/** Suffix, replacement, suffix, replacement ... by the last letter; few comparisons a word. */
type Rules = ReadonlyMap<string, readonly string[]>;

const STEP2: Rules = new Map([
  ["l", ["ational", "ate", "tional", "tion"]],
  ["r", ["izer", "ize", "ator", "ate"]],
  ["n", ["ization", "ize", "ation", "ate"]],
  ["m", ["alism", "al"]],
  ["s", ["iveness", "ive", "fulness", "ful", "ousness", "ous"]],
  [
    "i",
    [
      ...["enci", "ence", "anci", "ance", "abli", "able", "entli", "ent", "ousli", "ous"],
      ...["alli", "al", "eli", "e", "biliti", "ble", "aliti", "al", "iviti", "ive"],
    ],
  ],
]);

const STEP3: Rules = new Map([
  ["e", ["icate", "ic", "ative", "", "alize", "al"]],
  ["i", ["iciti", "ic"]],
  ["l", ["ical", "ic", "ful", ""]],
  ["s", ["ness", ""]],
]);

const STEP4: Rules = new Map([
  ["e", ["ance", "", "ence", "", "able", "", "ible", "", "ate", "", "ize", ""]],
  ["t", ["ement", "", "ment", "", "ant", "", "ent", ""]],
  ["m", ["ism", ""]],
  ["i", ["iti", ""]],
  ["s", ["ous", ""]],
  ["l", ["al", ""]],
  ["r", ["er", ""]],
  ["c", ["ic", ""]],
  ["u", ["ou", ""]],
]);

/** The stem of a lower-case word. Words that are not plain a-z, or are under four letters, stay */
export function stem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  const length = word.length;
  if (length < 3 || length > 40 || !isPlain(word)) return word;
  if (length === 3) return word;
  const folded = length > 4 ? american(word) : word;
  return porter(folded);
}

/** The stem of a word that the rules do not cover; it may begin otherwise than the word. */
export function irregularStem(word: string): string | undefined {
  return IRREGULAR.get(word);
}

const PLAIN = /^[a-z]+$/;

function isPlain(word: string): boolean {
  return PLAIN.test(word);
}

/** Also undoes -ification, whose verb Porter's rules do not reach. */
function american(word: string): string {
  if (word.endsWith("our") || word.endsWith("ours")) return word.replace(/our(s?)$/, "or$1");
  if (word.includes("is")) {
    if (/(?:ise|ised|ises|ising|isation|isations|iser|isers)$/.test(word)) {
      return word.replace(/is(e|ed|es|ing|ation|ations|er|ers)$/, "iz$1");
    }
  }
  if (word.endsWith("ogue") || word.endsWith("ogues")) return word.replace(/ogue(s?)$/, "og$1");
  if (word.endsWith("ification") || word.endsWith("ifications")) {
    return word.replace(/ication(s?)$/, "y");
  }
  if (word.endsWith("tre") || word.endsWith("tres")) return word.replace(/tre(s?)$/, "ter$1");
  return word;
}

function isVowel(word: string, i: number): boolean {
  const c = word.charCodeAt(i);
  if (c === 97 || c === 101 || c === 105 || c === 111 || c === 117) return true;
  return c === 121 && i > 0 && !isVowel(word, i - 1);
}

/** Porter's m: the number of vowel-consonant sequences in the first `end` letters. */
function measure(word: string, end: number): number {
  let m = 0;
  let before = false;
  for (let i = 0; i < end; i++) {
    const c = word.charCodeAt(i);
    const plain = c === 97 || c === 101 || c === 105 || c === 111 || c === 117;
    const vowel: boolean = plain || (c === 121 && i > 0 && !before);
    if (before && !vowel) m++;
    before = vowel;
  }
  return m;
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true;
  return false;
}

/** consonant-vowel-consonant at the end, where the last is not w, x or y */
function endsShort(word: string): boolean {
  const i = word.length - 1;
  if (i < 2 || isVowel(word, i) || !isVowel(word, i - 1) || isVowel(word, i - 2)) return false;
  const c = word.charCodeAt(i);
  return c !== 119 && c !== 120 && c !== 121;
}

function porter(word: string): string {
  let w = step1(word);
  w = replaceSuffix(w, STEP2, 0);
  w = replaceSuffix(w, STEP3, 0);
  w = w.endsWith("sion") || w.endsWith("tion") ? withoutIon(w) : replaceSuffix(w, STEP4, 1);
  return step5(w);
}

function withoutIon(w: string): string {
  const end = w.length - 3;
  return measure(w, end) > 1 ? w.slice(0, end) : w;
}

function step1(word: string): string {
  let w = word;
  if (w.endsWith("s")) {
    if (w.endsWith("sses") || w.endsWith("ies")) w = w.slice(0, -2);
    else if (!w.endsWith("ss")) w = w.slice(0, -1);
  }
  if (w.endsWith("eed")) {
    if (measure(w, w.length - 3) > 0) w = w.slice(0, -1);
  } else {
    const cut = w.endsWith("ed") ? 2 : w.endsWith("ing") ? 3 : 0;
    if (cut > 0 && hasVowel(w, w.length - cut)) w = afterEdIng(w.slice(0, -cut));
  }
  // As Porter2: only after a consonant, so that "deploy" and "deployment" meet.
  if (w.endsWith("y") && w.length > 2 && !isVowel(w, w.length - 2)) w = `${w.slice(0, -1)}i`;
  return w;
}

function afterEdIng(w: string): string {
  if (w.endsWith("at") || w.endsWith("bl") || w.endsWith("iz")) return `${w}e`;
  const last = w.charCodeAt(w.length - 1);
  const twice = w.length > 1 && last === w.charCodeAt(w.length - 2) && !isVowel(w, w.length - 1);
  // l, s and z may stay double
  if (twice && last !== 108 && last !== 115 && last !== 122) return w.slice(0, -1);
  if (measure(w, w.length) === 1 && endsShort(w)) return `${w}e`;
  return w;
}

/** The first suffix that fits is replaced if what is before it has more than `above` syllables. */
function replaceSuffix(w: string, rules: Rules, above: number): string {
  const list = rules.get(w.charAt(w.length - 1));
  if (list === undefined) return w;
  for (let i = 0; i < list.length; i += 2) {
    const suffix = list[i] ?? "";
    if (!w.endsWith(suffix)) continue;
    const end = w.length - suffix.length;
    return measure(w, end) > above ? w.slice(0, end) + (list[i + 1] ?? "") : w;
  }
  return w;
}

function step5(word: string): string {
  let w = word;
  if (w.endsWith("e")) {
    const m = measure(w, w.length - 1);
    if (m > 1 || (m === 1 && !endsShort(w.slice(0, -1)))) w = w.slice(0, -1);
  }
  if (w.endsWith("ll") && measure(w, w.length) > 1) w = w.slice(0, -1);
  return w;
}
