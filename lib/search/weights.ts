// The numbers of the ranking, in one place. `bench/search.ts` measures what a change does.
export const WEIGHTS = {
  /** One occurrence in a field, how far a long field makes it count less, and the usual length. */
  name: { weight: 2.5, b: 0.3, usualLength: 3 },
  title: { weight: 1.2, b: 0.3, usualLength: 3 },
  lead: { weight: 1.2, b: 0.3, usualLength: 10 },
  rest: { weight: 0.35, b: 0.4, usualLength: 50 },
  parameterName: { weight: 0.6, b: 0.4, usualLength: 6 },
  parameterText: { weight: 0.2, b: 0.5, usualLength: 50 },
  /** The server's name in front of a name, and neighbouring words of a name taken as one. */
  group: 3,
  joinedName: 1.6,
  idfPower: 0.8,
  idfFloor: 0.1,
  /** A term counts as had by a tool in full from this weight on; boilerplate parameters have less. */
  fullWeight: 2,
  /** BM25 saturation. */
  k1: 1.4,
  /** Share of its own weight a query word has after the first preposition, as filler, in quotes. */
  afterPreposition: 0.75,
  weak: 0.5,
  framed: 0.25,
  quoted: 0.6,
  value: 0.5,
  /** Pieces of a proper name such as GitHub, when the catalog has the whole word and when not. */
  proper: 0.4,
  properAlone: 0.7,
  /** Alternatives from the tables: near-equal verbs, verbs that often stand for each other, nouns. */
  tightSynonym: 0.75,
  looseSynonym: 0.5,
  nounSynonym: 0.55,
  /** Alternatives found in the catalog itself. */
  prefix: 0.3,
  shorterRelative: 0.4,
  joined: 0.8,
  part: 0.5,
  typo: 0.6,
  translated: 0.8,
  densePair: 0.5,
  /** Most that the explained share of the tool's name, and of the query, multiply a score by. */
  nameCoverage: 0.5,
  /** What a word of a name explains when it is plural and the request's is not, or the reverse. */
  otherNumber: 0.7,
  queryCoverage: 0.35,
  /** Factors of a tool whose verb is the one asked for, and of one whose verb contradicts it. */
  sameVerb: 1.1,
  opposedVerb: 0.8,
  /** Added per further word of a run of words that stand together in a name or first sentence. */
  run: 0.05,
  /** A hit is strong with this share of the best score, if it explains this much of the request. */
  strongScore: 0.6,
  strongCoverage: 0.3,
  /** How much a word that no tool has counts in what is to be explained. */
  unknownShare: 0.3,
};
