import type { CheckedSentence, CheckProblem, CheckWarning } from '@casefile/contracts';
import { isOutside } from '../filter.js';
import {
  absencesIn,
  isLeftToForum,
  overstatesAuthority,
  overstatesSources,
  statesForumAsFact,
} from './attribution.js';
import { bearsDate, bearsQuote } from './bears.js';
import {
  compareQuantities,
  comparesWrongly,
  type Comparison,
  countShared,
  ENGLISH_MONTHS,
  type Figure,
  findOpposite,
  findRival,
  type FoundDate,
  hasHan,
  isLike,
  nameText,
  quantitiesIn,
  type Quantity,
  sameFigure,
  shinglesOf,
} from '@casefile/pipeline/reading/index';
import { claimsIn, type Claims, type ReportBasis } from './claims.js';
import { hasValue, isTranslated } from './across-languages.js';
import type { Original } from './passages.js';
import type { Sentence } from './sentences.js';
import { namesSame } from './spelt-out.js';
import { isOfOtherLanguage } from './writing-of.js';

/** Words that deny the claim of the question. */
const DENIES_CLAIM =
  /並非事實|非事實|不實|不正確|錯誤|不成立|不符|謠言|假訊息|誤導|\b(?:false|untrue|incorrect|wrong|misleading|not true|inaccurate|baseless|debunked|overstat(?:es|ed)|exaggerat(?:es|ed))\b/iu;
/** Characters shown on each side of a figure in a finding. */
const SHOWN = 14;
/** Most figures of the sources that are compared with a claimed figure of the same value. */
const MOST_COMPARED = 100;

/**
 * Returns the claims of a sentence that need a source. Excludes what the sentence says that no source states,
 * and the claim of the question if the sentence denies that claim.
 */
export function needsNoSource(sentence: string, query: string): Claims {
  const text = sentence.normalize('NFKC');
  const claimed = new Set(quantitiesIn(text).flatMap((one) => (one.isSlight ? [] : [one.from])));
  const all = claimsIn(sentence, query);
  const claims = { ...all, figures: all.figures.filter(({ from }) => claimed.has(from)) };
  const absences = absencesIn(text);
  const isAbsent = (from: number) => absences.some(([start, end]) => from >= start && from < end);
  const asked = nameText(query);
  const denied = DENIES_CLAIM.test(text);
  const isOfClaim = (said: string) => denied && said !== '' && asked.includes(nameText(said));
  return {
    figures: claims.figures.filter(({ from, said }) => !isAbsent(from) && !isOfClaim(said)),
    dates: claims.dates.filter(({ from }) => !isAbsent(from)),
    names: claims.names.filter(({ said }) => !isAbsent(text.indexOf(said))),
    quotes: claims.quotes.filter((quote) => !(denied && isLike(quote, query))),
  };
}

/** Sources and rules for judging a sentence. */
export interface SentenceBasis {
  cited: readonly Original[];
  /** The cited sources in another language than the sentence: only figures and dates are compared with them. */
  foreign: readonly Original[];
  held: ReportBasis;
  /** The passage of each cited source that is closest to the sentence. */
  quotes: CheckedSentence['quotes'];
}

interface Judgement {
  problems: { code: CheckProblem; what: string }[];
  warnings: { code: CheckWarning; what: string }[];
}

const problem = (code: CheckProblem, what: string) => ({ code, what });

/**
 * Returns the problems of a cited sentence and its doubts. The cited sources support a sentence jointly: each
 * figure with its comparative and unit, each date, name and quotation must be in one of them.
 */
export function judgeSentence(sentence: Sentence, claims: Claims, judged: SentenceBasis): Judgement {
  const { text, isHeading } = sentence;
  const { cited, foreign, held, quotes } = judged;
  const same = cited.filter((one) => !foreign.includes(one));
  const normal = text.normalize('NFKC');
  const absences = absencesIn(normal);
  const all = quantitiesIn(normal);
  const claimed = new Set(claims.figures.map(({ from }) => from));
  const quantities = all.filter(({ from, isSlight }) => !isSlight && claimed.has(from));
  const passage = (id: string) => quotes.find((one) => one.id === id)?.quote ?? '';
  const isOverstated =
    cited.length > 0 &&
    absences.length === 0 &&
    cited.every((one) => overstatesAuthority(text, one, passage(one.id)));
  const opposite =
    isHeading || absences.length > 0 || DENIES_CLAIM.test(normal)
      ? null
      : findOpposite(
          text,
          same.flatMap((one) => one.clauses()),
        );
  const shown = opposite === null ? '' : `“${opposite.claim}” ≠ “${opposite.source}”`;
  return {
    problems: [
      ...cited.flatMap((one) => problemsOfMode(one, held)),
      ...(isOverstated ? cited.map(({ id }) => problem('tier_mismatch', id)) : []),
      ...(absences.length === 0 && overstatesSources(text, cited)
        ? [problem('sources_overstated', cited[0]!.id)]
        : []),
      ...quantities.flatMap((one) =>
        foreign.some((source) => hasValue(one, source))
          ? []
          : problemsOfFigure(one, { text: normal, cited: same, claims: all }),
      ),
      ...wrongComparisons(all, normal),
      ...(opposite?.kind === 'comparative' ? [problem('comparative_differs', shown)] : []),
      ...claims.dates
        .filter((one) => !cited.some((source) => bearsDate(one, source) || namesMonth(one, source)))
        .map(({ said }) => problem('date_not_in_source', said)),
      ...claims.names
        .filter(({ said }) => !foreign.some((source) => isTranslated(said, source)))
        .filter((name) => !cited.some((source) => namesSame(name, text, source)))
        .map(({ said }) => problem('name_not_in_source', said)),
      ...(foreign.length > 0 ? [] : claims.quotes)
        .filter((quote) => !cited.some((source) => bearsQuote(quote, source)))
        .map((quote) => problem('quote_not_in_source', quote)),
      ...(isHeading || absences.length > 0
        ? []
        : same
            .filter((one) => !isOfOtherLanguage(text, one.text))
            .filter((one) => !isLeftToForum(text, one) && !speaksOf(sentence, claims, one, cited.length))
            .map(({ id }) => problem('nothing_shared', id))),
    ],
    warnings: [
      ...(!isHeading && absences.length === 0 && statesForumAsFact(text, cited)
        ? [{ code: 'forum_as_fact' as const, what: cited.map(({ id }) => id).join(', ') }]
        : []),
      ...(opposite !== null && opposite.kind !== 'comparative'
        ? [{ code: 'polarity_differs' as const, what: shown }]
        : []),
    ],
  };
}

function problemsOfMode({ id, tier, published }: Original, { from, to, maxTier }: ReportBasis) {
  return [
    ...(maxTier < 5 && (tier === null || tier > maxTier) ? [problem('tier_not_allowed', id)] : []),
    ...(isOutside(published, { from, to }) ? [problem('date_outside', id)] : []),
  ];
}

const CODES: Record<Exclude<Comparison, 'supports' | 'value'>, CheckProblem> = {
  unit: 'unit_differs',
  comparative: 'comparative_differs',
  other: 'other_quantity',
};

function problemsOfFigure(
  claimed: Quantity,
  { text, cited, claims }: { text: string; cited: readonly Original[]; claims: readonly Quantity[] },
) {
  let different: { kind: keyof typeof CODES; source: Quantity } | null = null;
  let other: Quantity | null = null;
  let compared = 0;
  for (const original of cited) {
    const all = original.quantities();
    for (const source of all) {
      const kind = compared < MOST_COMPARED ? compareQuantities(claimed, source) : 'value';
      if (kind !== 'value') compared += 1;
      if (kind === 'supports') {
        const rival = findRival(claimed, source, { all, claims });
        if (rival === null) return [];
        other = rival;
      } else if (kind !== 'value' && (different === null || kind === 'comparative'))
        different = { kind, source };
    }
  }
  const shown = around(claimed, text);
  if (other !== null) return [problem('other_quantity', `${shown} ≠ ${around(other, other.sentence, true)}`)];
  if (different !== null)
    return [
      problem(
        CODES[different.kind],
        `${shown} ≠ ${around(different.source, different.source.sentence, true)}`,
      ),
    ];
  if (cited.some((source) => hasOtherwise(claimed, source))) return [];
  return [problem('number_not_in_source', claimed.said)];
}

function wrongComparisons(all: readonly Quantity[], text: string) {
  return all.flatMap((one, i) => {
    const next = all[i + 1];
    if (
      next === undefined ||
      !comparesWrongly(text, one, next, one.unit === next.unit && one.word === next.word)
    )
      return [];
    return [problem('comparative_differs', text.slice(one.from, next.from + next.said.length))];
  });
}

const hasOtherwise = (claimed: Figure, { otherwise, years }: Original): boolean =>
  otherwise.some((told) => sameFigure(claimed, told)) || (claimed.unit === null && years.has(claimed.value));

function around(one: Figure, text: string, isSentence = false): string {
  const from = isSentence ? text.indexOf(one.said) : one.from;
  return `“${text.slice(Math.max(0, from - SHOWN), from + one.said.length + SHOWN).trim()}”`;
}

// Returns whether the source names the month of a date without year and day, in any phrase such as `From
// September`.
function namesMonth({ value: { y, m, d } }: FoundDate, { names }: Original): boolean {
  return y === undefined && d === undefined && m !== undefined && names.includes(ENGLISH_MONTHS[m - 1]!);
}

/** Fewest shared words of a sentence without a figure, date or name that the source has. */
const LEAST_SHARED = 2;

/**
 * Alternative: the share of its Han characters, because different words for the same thing have characters in
 * common.
 */
const LEAST_SIGNS = 0.45;

function shareOfSigns(text: string, source: string): number {
  const own = new Set([...text].filter(hasHan));
  return own.size === 0 ? 0 : [...own].filter((sign) => source.includes(sign)).length / own.size;
}

// Compares a source in another script only by figures, dates and names.
function speaksOf({ text, whole }: Sentence, claims: Claims, source: Original, sources: number): boolean {
  const own = shinglesOf(text);
  const { figures, dates, names } = claims;
  if (
    figures.some((one) => source.figures.some((told) => sameFigure(one, told))) ||
    dates.some((one) => bearsDate(one, source)) ||
    names.some((name) => namesSame(name, text, source))
  )
    return true;
  // A table row has too little prose to compare, so only its claims are checked.
  const isRow = whole.trimStart().startsWith('|');
  const isHan = (all: ReadonlySet<string>) => [...all].filter((one) => hasHan(one)).length > all.size / 2;
  if (isRow || own.size < LEAST_SHARED || isHan(own) !== isHan(source.shingles))
    return figures.length + dates.length + names.length === 0;
  if (isHan(own) && shareOfSigns(text, source.text) >= LEAST_SIGNS) return true;
  return (
    countShared(own, source.shingles) >=
    (own.size <= 6 || sources > 1 || DENIES_CLAIM.test(text) ? 1 : LEAST_SHARED)
  );
}
