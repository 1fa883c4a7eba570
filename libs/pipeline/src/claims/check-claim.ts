import type { ClaimDimension, ComparisonResult, TypedClaim } from '@casefile/contracts';
import { citedPlaces, type CitedPlaces } from './cited-places.js';
import { claimLanguage } from './claim-language.js';
import { checkComparison } from './comparison.js';
import { checkContrast } from './contrast.js';
import { checkGoodState } from './conditions.js';
import { checkQuantities } from './quantity.js';
import type { CitedSpan } from './segments.js';
import { checkSubject, subjectOf } from './subject.js';
import { checkCauseTimes, checkNow, checkStatedTimes } from './timing.js';
import { checkCancelled, checkEmpty, checkPlanned, checkPolarity, checkScope } from './wording.js';

/** Facts about a claim that its words do not state. */
export interface ClaimContext {
  /** Dimensions that answers of the kind contain. */
  dimensions: readonly ClaimDimension[];
  /** Names by which the record calls the subject of the case. Default: none. */
  aliases?: readonly string[];
  /** Start of the occurrence in ISO 8601; null: unknown, or the case has none. Default: null. */
  startsAt?: string | null;
  /**
   * `cause`: something that led to the occurrence. `now`: a state after its start. `statement`: anything else. Default:
   * statement.
   */
  about?: 'cause' | 'now' | 'statement';
  /** Whether the claim is about the subject of the case if it names none, and about all of it. Default: false. */
  isOfWholeCase?: boolean;
  /** Text of the alert, if the claim is that nothing is wrong with what it reports. Default: the claim is another. */
  denies?: string | null;
  /** Sources of the record that the claim does not cite; a later one may correct a cited one. Default: none. */
  others?: readonly Omit<CitedSpan, 'quote'>[];
}

/** A claim taken apart. */
export interface ClaimCheck {
  parts: TypedClaim[];
  /**
   * `holds`: a part holds, none is contradicted, and a stated subject is named by a cited part or by the arguments of its
   * look-up. `contradicted`: a part is contradicted. `not_checked`: neither; it supports nothing.
   */
  result: ComparisonResult;
}

const LONGEST_CLAIM = 1_000;
const MOST_SPANS = 40;
/** Parts in which words are read. They are not checked in a language without word lists. */
const OF_WORDS: readonly ClaimDimension[] = ['state', 'scope', 'modality', 'comparison'];

/**
 * Compares a claim with the parts of the sources that it cites. Takes linear time: at most 1,000 characters of the claim,
 * 40 sources, and 4,000 parts of each are read.
 */
export function checkClaim(text: string, spans: readonly CitedSpan[], context: ClaimContext): ClaimCheck {
  const {
    dimensions,
    aliases = [],
    startsAt = null,
    about = 'statement',
    isOfWholeCase = false,
    denies = null,
    others = [],
  } = context;
  const claim = text.slice(0, LONGEST_CLAIM);
  const language = claimLanguage(claim);
  const cited = citedPlaces(spans.slice(0, MOST_SPANS), language);
  const start = startsAt === null ? NaN : Date.parse(startsAt);
  const near = Number.isNaN(start) ? null : start;
  const subject = subjectOf(claim, cited, { aliases, isOfCase: isOfWholeCase });
  const ofSubject = checkSubject(claim, subject, cited);
  const isUnread = language.isUnread || (cited.length > 0 && cited.every((one) => one.language.isUnread));
  const { code } = language;
  const parts = [
    ...ofSubject.claims,
    ...checkQuantities(claim, code, cited),
    ...checkStatedTimes(claim, cited, near),
    ...(near === null || cited.length === 0
      ? []
      : about === 'cause'
        ? checkCauseTimes(cited, near)
        : about === 'now'
          ? checkNow(cited, near)
          : []),
    ...checkEmpty(claim, cited, about === 'now'),
    ...(denies === null ? [] : checkGoodState(denies, cited, near)),
    ...(isUnread
      ? unreadParts(claim, cited)
      : wordParts(claim, code, cited, { aliases, others, near, isOfWholeCase, about })),
  ].filter(({ dimension }) => dimensions.includes(dimension));
  const isOpen =
    denies !== null && !parts.some(({ dimension, result }) => dimension === 'state' && result === 'holds');
  const isUnnamed = ofSubject.isUnnamed && dimensions.includes('subject');
  return { parts, result: resultOf(parts, isUnnamed || isOpen) };
}

type WordContext = Required<Pick<ClaimContext, 'aliases' | 'others' | 'isOfWholeCase' | 'about'>> & {
  near: number | null;
};

function wordParts(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
  { aliases, others, near, isOfWholeCase, about }: WordContext,
): TypedClaim[] {
  const comparisons = checkComparison(claim, language, cited);
  const isOrdered = comparisons.some(({ result }) => result === 'holds');
  return [
    ...(about === 'now' ? [] : checkPolarity(claim, cited)).filter(
      ({ dimension }) => !(dimension === 'comparison' && isOrdered),
    ),
    ...checkContrast(claim, language, cited),
    ...checkCancelled({ claim, language, cited, others, near }),
    ...checkPlanned(claim, language, { cited, isEvent: about === 'cause' }),
    ...checkScope(claim, { language, cited, aliases, isWhole: isOfWholeCase }),
    ...comparisons,
  ];
}

const unreadParts = (claim: string, [first]: readonly CitedPlaces[]): TypedClaim[] =>
  OF_WORDS.slice(0, 3).map((dimension) => ({
    dimension,
    stated: claim.slice(0, 120),
    says: 'the language has no word lists',
    source: first?.id ?? null,
    result: 'not_checked',
  }));

function resultOf(parts: readonly TypedClaim[], isUnnamed: boolean): ComparisonResult {
  if (parts.some(({ result }) => result === 'contradicted')) return 'contradicted';
  return !isUnnamed && parts.some(({ result }) => result === 'holds') ? 'holds' : 'not_checked';
}
