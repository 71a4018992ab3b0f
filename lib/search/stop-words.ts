// Words that say little about which tool is meant, as plain data.

/** Dropped from a query, unless nothing else is left. */
export const STOP_WORDS: readonly string[] = [
  "a an the this that these those there here it its itself s",
  "i me my mine myself we us our ours you your yours he him his she her hers they them their im ive id",
  "of for from in into on onto at to by with within without as than via per upon over under between",
  "is are was were be been being am do does did doing done have has had having",
  "can could would should shall will may might must let lets",
  "and or but if then else so because while also too very just only both either",
  "what which who whom whose when where why how",
  "please kindly thanks thank hi hello hey ok okay",
];

/** Kept at a lower weight: polite frames and fillers that now and then are what is meant. */
export const WEAK_WORDS: readonly string[] = [
  "like need want wish help use using used tool tools about all any some every each more most other",
  "another such same own able now currently current today available possible various certain specific",
  "particular given provide provided following related based one two first second last next new",
  "interested interest looking know tell give check sure make get show see find list info information",
  "details detail additionally furthermore moreover finally lastly also let me",
];

/** May stand between two words of a run, besides stop words. */
export const FILLERS = "all any specific specified given existing new single";

/** From here on a query says where or for what, rather than what. */
export const PREPOSITIONS = "in for from on at to with within by of into via under using about as";

/** Articles, pronouns and particles of other languages, dropped from a request in one of them. */
export const FOREIGN_STOP_WORDS: readonly string[] = [
  "der die das den dem des ein eine einen einem einer und oder mit fur von zu zum zur im in auf aus bei mir mich ich bitte",
  "el la los las un una unos unas y o de del en con por para mi me que se al su quiero por favor",
  "le les une et ou du des au aux dans sur pour avec mon ma mes je moi est ce cette sil vous plait veux",
  "os as um uma e ou do da dos das no na nos nas com para meu minha eu por quero",
  "il lo gli i uno di del della dei delle nel nella con per mio mia voglio che",
  "и в на с по для из мне мой моя все этот как что",
];
