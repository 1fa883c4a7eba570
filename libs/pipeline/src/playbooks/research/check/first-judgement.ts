import type { CheckProblem } from '@casefile/contracts';
import { isOutside } from '../filter.js';
import { bearsDate, bearsFigure, bearsQuote } from './bears.js';
import type { Claims, ReportBasis } from './claims.js';
import { holdsName } from './names.js';
import { type Original } from './passages.js';
import { countShared, shinglesOf } from './shingles.js';
import type { Sentence } from './sentences.js';
import { isSpelledOut } from './told-otherwise.js';

/** Fewest characters or words that a sentence must share with its source. */
const LEAST_SHARED = 2;
/** A sentence with at most this many characters or words needs only one in common. */
const SHORT = 6;
const OFFICIAL =
  /官方(?:消息|媒體|來源|資料|指出|證實|說法|表示)|政府(?:來源|消息|資料|指出|證實|表示)|第[一1]級來源|\b(?:official|government|tier[ -]?1) sources?\b|\bofficial(?:s| media| outlets?)? (?:say|said|confirm|report)/iu;
const problem = (code: CheckProblem, what: string) => ({ code, what });

/**
 * Returns the problems of a cited sentence by the rules of version 1: each source must be about the same
 * subject.
 */
export function firstJudgement(
  sentence: Sentence,
  claims: Claims,
  cited: readonly Original[],
  held: ReportBasis,
): { code: CheckProblem; what: string }[] {
  return [
    ...cited.flatMap((one) => problemsOfSource(sentence.text, one, held)),
    ...problemsOfClaims(claims, cited),
    ...(sentence.isHeading
      ? []
      : cited
          .filter((one) => !sentenceSpeaks(sentence, claims, one))
          .map(({ id }) => problem('nothing_shared', id))),
  ];
}

function problemsOfClaims({ figures, dates, names, quotes }: Claims, cited: readonly Original[]) {
  return [
    ...figures
      .filter((one) => !cited.some((source) => bearsFigure(one, source)))
      .map(({ said }) => problem('number_not_in_source', said)),
    ...dates
      .filter((one) => !cited.some((source) => bearsDate(one, source)))
      .map(({ said }) => problem('date_not_in_source', said)),
    ...names
      .filter(
        (name) =>
          !cited.some((source) => holdsName(source.names, name) || isSpelledOut(name.said, source.text)),
      )
      .map(({ said }) => problem('name_not_in_source', said)),
    ...quotes
      .filter((quote) => !cited.some((source) => bearsQuote(quote, source)))
      .map((quote) => problem('quote_not_in_source', quote)),
  ];
}

function problemsOfSource(
  text: string,
  { id, tier, type, published }: Original,
  { from, to, maxTier }: ReportBasis,
) {
  const official = tier === 1 || type === 'official' || type === 'government';
  return [
    ...(maxTier < 5 && (tier === null || tier > maxTier) ? [problem('tier_not_allowed', id)] : []),
    ...(OFFICIAL.test(text) && !official ? [problem('tier_mismatch', id)] : []),
    ...(isOutside(published, { from, to }) ? [problem('date_outside', id)] : []),
  ];
}

// Compares a source in another script only by figures, dates and names.
function sentenceSpeaks({ text, whole }: Sentence, claims: Claims, source: Original): boolean {
  const own = shinglesOf(text);
  // A table row has too little prose to compare, so only its claims are checked.
  const isRow = whole.trimStart().startsWith('|');
  const isHan = (all: ReadonlySet<string>) =>
    [...all].filter((one) => /\p{Script=Han}/u.test(one)).length > all.size / 2;
  if (isRow || own.size < LEAST_SHARED || isHan(own) !== isHan(source.shingles)) {
    const { figures, dates, names } = claims;
    if (figures.length + dates.length + names.length === 0) return true;
    return (
      figures.some((one) => bearsFigure(one, source)) ||
      dates.some((one) => bearsDate(one, source)) ||
      names.some((name) => holdsName(source.names, name))
    );
  }
  return countShared(own, source.shingles) >= (own.size <= SHORT ? 1 : LEAST_SHARED);
}
