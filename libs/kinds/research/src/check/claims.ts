import {
  isLike,
  nameText,
  quotesIn,
  datesIn,
  type Figure,
  figuresIn,
  type FoundDate,
} from '@casefile/pipeline/reading/index';
import { holdsName, namesIn, type Name } from './names.js';
import type { Original } from './passages.js';

/** The sources and the question that a report is checked against. */
export interface ReportBasis {
  originals: readonly Original[];
  query: string;
  from: string | null;
  to: string | null;
  /** The highest tier that the mode allows; 5: all are allowed. */
  maxTier: number;
}

/** Claims of a sentence that need a source. */
export interface Claims {
  figures: Figure[];
  dates: FoundDate[];
  names: Name[];
  quotes: string[];
}

/** Words that introduce a repetition of the question's claim, which needs no source. */
const CLAIM_SAID_AGAIN =
  /傳言|網傳|說法|謠傳|宣稱|查證|查詢|是否|問題|\b(?:claims?|whether|rumou?rs?|query|question)\b/iu;

/** Words before a figure of the question that deny it. */
const DENIED = /(?:不是|並非|而非|不等於|\b(?:not|rather than|instead of)) ?(?:NT\$|US\$|\$)?$/iu;
/** Words after a quotation that mark it as the claim under review, so its words need no source. */
const IS_CLAIM = /^(?:的|這個|這種|這項|此一|一)?(?:說法|傳言|謠言|訊息|主張|宣稱)/u;

/** Returns the claims of a sentence, without repetitions from the question. */
export function claimsIn(sentence: string, query: string): Claims {
  const text = sentence.normalize('NFKC');
  const ofQuery = nameText(query);
  const saidAgain = CLAIM_SAID_AGAIN.test(text);
  const inQuery = (said: string) => ofQuery.includes(nameText(said));
  const dates = datesIn(text).filter(({ said }) => !inQuery(said));
  const isSaid = ({ said, from }: Figure) =>
    inQuery(said) && (saidAgain || DENIED.test(text.slice(Math.max(0, from - 14), from)));
  const figures = figuresIn(text).filter((figure) => !isSaid(figure));
  return {
    figures,
    dates,
    names: namesIn(sentence).filter((name) => !holdsName(ofQuery, name)),
    quotes: quotedIn(sentence, query).filter((quote) => !inQuery(quote)),
  };
}

function quotedIn(sentence: string, query: string): string[] {
  return quotesIn(sentence)
    .filter(({ said, to }) => !(IS_CLAIM.test(sentence.slice(to, to + 8)) && isLike(said, query)))
    .map(({ said }) => said)
    .filter((quote) => /[\p{L}\p{N}]/u.test(quote));
}

/** Returns the first of the claims as they are written. */
export const claimedValues = ({ figures, dates, names, quotes }: Claims): string =>
  [
    ...quotes,
    ...figures.map(({ said }) => said),
    ...dates.map(({ said }) => said),
    ...names.map(({ said }) => said),
  ]
    .slice(0, 5)
    .join('、');
