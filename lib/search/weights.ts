// The numbers of the ranking, in one place. `bench/search.ts` measures what a change does.
export const WEIGHTS = {
  /** BM25 saturation. */
  k1: 1.4,
  /** Share of its own weight a query word has after the first preposition, as filler, in quotes. */
  afterPreposition: 0.8,
  weak: 0.5,
  quoted: 0.6,
  /** Alternatives found in the catalog itself. */
  prefix: 0.3,
  shorterRelative: 0.4,
  joined: 0.8,
  part: 0.5,
  typo: 0.6,
  translated: 0.8,
  /** Most that the explained share of the tool's name, and of the query, multiply a score by. */
  nameCoverage: 0.5,
  queryCoverage: 0.35,
  /** Factors of a tool whose verb is the one asked for, and of one whose verb contradicts it. */
  sameVerb: 1.15,
  opposedVerb: 0.75,
  /** Added per pair of query words that stand together in a name or first sentence. */
  pair: 0.08,
};
