import type { CheckedSentence, CheckProblem, InputReading } from '@casefile/contracts';
import { isOutside } from '../filter.js';
import { datesIn, sameDate, type FoundDate } from './dates.js';
import { figuresIn, sameFigure, type Figure } from './figures.js';
import { holdsName, nameText, namesIn, type Name } from './names.js';
import { quoteText, shared, shinglesOf, type Original } from './passages.js';
import { sentencesOf, type Sentence } from './sentences.js';
import { isSpelledOut } from './told-otherwise.js';

/** What a report is held against. */
export interface Held {
  originals: readonly Original[];
  query: string;
  from: string | null;
  to: string | null;
  /** The highest tier that the mode takes; 5: all are taken. */
  maxTier: number;
  /** How sentences are cut. Default: the newest reading. */
  reading?: InputReading;
}

/** What came of holding a report against its sources. */
export interface Checked {
  sentences: (CheckedSentence & { from: number; whole: string })[];
  /** Share of the sentences that need a source and have one; null: no sentence needs a source. */
  share: number | null;
}

/** Signs or words that a sentence shares with what it cites, at least. */
const LEAST_SHARED = 2;
/** A sentence of so few is short: one is enough. */
const SHORT = 6;
const QUOTED = /「([^「」]{2,400})」|『([^『』]{2,400})』|“([^“”]{2,400})”|"([^"\n]{2,400})"/g;
const OFFICIAL =
  /官方(?:消息|媒體|來源|資料|指出|證實|說法|表示)|政府(?:來源|消息|資料|指出|證實|表示)|第[一1]級來源|\b(?:official|government|tier[ -]?1) sources?\b|\bofficial(?:s| media| outlets?)? (?:say|said|confirm|report)/iu;
/** The asker's own words, said again to be judged: they need no source. */
const CLAIM_SAID_AGAIN =
  /傳言|網傳|說法|謠傳|宣稱|查證|查詢|是否|問題|\b(?:claims?|whether|rumou?rs?|query|question)\b/iu;

/** Before a figure of the query: the report says that it is not so. */
const DENIED = /(?:不是|並非|而非|不等於|\b(?:not|rather than|instead of)) ?(?:NT\$|US\$|\$)?$/iu;
/** Behind a quotation: it is the claim that is looked into, whatever its words. */
const IS_CLAIM = /^(?:的|這個|這種|這項|此一|一)?(?:說法|傳言|謠言|訊息|主張|宣稱)/u;
/** A sentence that says what is not known names somebody or something without a claim about it. */
const OPEN =
  /不確定|不清楚|不明確|無法確認|尚未證實|沒有來源|未提及|有待|\b(?:uncertain|unclear|unknown|not known|no source)\b/iu;

/**
 * Holds each sentence of a report against the stored originals of what it cites: every figure, date and name must be in one of
 * them, words in quotation marks literally, and the sources must be the mode's own. S5-24, S5-28.
 */
export function checkReport(report: string, held: Held): Checked {
  const all = sentencesOf(report, held.reading);
  const everywhere = [...new Set(all.flatMap(({ ids }) => ids))];
  const sentences = all.map((sentence) => ({
    // A heading speaks of what stands below it.
    ...checked(
      sentence.isHeading && sentence.ids.length === 0 ? { ...sentence, ids: everywhere } : sentence,
      held,
    ),
    from: sentence.from,
    whole: sentence.whole,
  }));
  const needing = sentences.filter(({ state }) => state !== 'plain');
  const verified = needing.filter(({ state }) => state === 'verified').length;
  return { sentences, share: needing.length === 0 ? null : verified / needing.length };
}

interface Claims {
  figures: Figure[];
  dates: FoundDate[];
  names: Name[];
  quotes: string[];
}

function checked(sentence: Sentence, held: Held): CheckedSentence {
  const { text, ids, isHeading } = sentence;
  const claims = claimsOf(text, held.query);
  const count = claims.figures.length + claims.dates.length + claims.names.length + claims.quotes.length;
  const done = (
    state: CheckedSentence['state'],
    problems: CheckedSentence['problems'],
    quotes: CheckedSentence['quotes'] = [],
  ) => ({
    text,
    ids: [...ids],
    state,
    problems,
    quotes,
  });
  if (isHeading && count === 0) return done('plain', []);
  if (ids.length === 0) {
    const onlyNames = count === claims.names.length;
    if (count === 0 || (onlyNames && OPEN.test(text))) return done('plain', []);
    return done('unsupported', [{ code: 'no_citation', what: saidOf(claims) }]);
  }
  const cited = held.originals.filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !cited.some((one) => one.id === id));
  const problems = [
    ...missing.map((id) => problem('unknown_id', id)),
    ...cited.flatMap((one) => problemsOfSource(text, one, held)),
    ...problemsOfClaims(claims, cited),
    ...(isHeading
      ? []
      : cited
          .filter((one) => !speaksOf(sentence, claims, one))
          .map(({ id }) => problem('nothing_shared', id))),
  ];
  const quotes = cited.map((one) => ({ id: one.id, quote: passageFor(text, claims, one) }));
  return done(problems.length === 0 ? 'verified' : 'unsupported', problems, quotes);
}

const problem = (code: CheckProblem, what: string) => ({ code, what });

function claimsOf(sentence: string, query: string): Claims {
  const text = sentence.normalize('NFKC');
  const ofQuery = nameText(query);
  const saidAgain = CLAIM_SAID_AGAIN.test(text);
  const inQuery = (said: string) => ofQuery.includes(nameText(said));
  const dates = datesIn(text).filter(({ said }) => !inQuery(said));
  const isSaid = ({ said, from }: Figure) =>
    inQuery(said) && (saidAgain || DENIED.test(text.slice(Math.max(0, from - 14), from)));
  const figures = figuresIn(text).filter((figure) => !figure.isSlight && !isSaid(figure));
  return {
    figures,
    dates,
    names: namesIn(sentence).filter((name) => !holdsName(ofQuery, name)),
    quotes: quotedIn(sentence, query).filter((quote) => !inQuery(quote)),
  };
}

function quotedIn(sentence: string, query: string): string[] {
  const asked = shinglesOf(query);
  return [...sentence.matchAll(QUOTED)]
    .map((match) => ({
      quote: match.slice(1).find((part) => part !== undefined) ?? '',
      behind: sentence.slice(match.index + match[0].length, match.index + match[0].length + 8),
    }))
    .filter(({ quote, behind }) => !(IS_CLAIM.test(behind) && isLike(shinglesOf(quote), asked)))
    .map(({ quote }) => quote)
    .filter((quote) => /[\p{L}\p{N}]/u.test(quote));
}

// The asker's claim in other words.
const isLike = (own: ReadonlySet<string>, asked: ReadonlySet<string>): boolean =>
  own.size > 0 && shared(own, asked) >= own.size / 2;

const saidOf = ({ figures, dates, names, quotes }: Claims): string =>
  [
    ...quotes,
    ...figures.map(({ said }) => said),
    ...dates.map(({ said }) => said),
    ...names.map(({ said }) => said),
  ]
    .slice(0, 5)
    .join('、');

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

function bearsFigure(one: Figure, { figures, years }: Original): boolean {
  if (figures.some((told) => sameFigure(one, told))) return true;
  return one.unit === null && years.has(one.value);
}

function bearsDate({ date, said }: FoundDate, { dates, years, figures }: Original): boolean {
  if (dates.some((told) => sameDate(date, told, years))) return true;
  // `5日` may be five days, and a year a plain number.
  const alone = Object.keys(date).length === 1;
  const value = date.d ?? date.y;
  return (
    alone &&
    value !== undefined &&
    figures.some(
      (told) => told.value === value && (told.unit === 'days' || told.unit === null || said.length > 4),
    )
  );
}

function bearsQuote(quote: string, { quotes }: Original): boolean {
  const sought = withoutStop(quoteText(quote));
  if (sought === '') return true;
  for (let at = quotes.indexOf(sought); at >= 0; at = quotes.indexOf(sought, at + 1)) {
    const before = quotes[at - 1] ?? '';
    const after = quotes[at + sought.length] ?? '';
    const cutsWord =
      (/[a-z0-9]/.test(before) && /^[a-z0-9]/.test(sought)) ||
      (/[a-z0-9]/.test(after) && /[a-z0-9]$/.test(sought));
    if (!cutsWord) return true;
  }
  return false;
}

// Looked at from the end: a pattern that is anchored there alone begins again at every sign.
function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && '，,。.、；;！!？?…'.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

function problemsOfSource(
  text: string,
  { id, tier, type, published }: Original,
  { from, to, maxTier }: Held,
) {
  const official = tier === 1 || type === 'official' || type === 'government';
  return [
    ...(maxTier < 5 && (tier === null || tier > maxTier) ? [problem('tier_not_allowed', id)] : []),
    ...(OFFICIAL.test(text) && !official ? [problem('tier_mismatch', id)] : []),
    ...(isOutside(published, { from, to }) ? [problem('date_outside', id)] : []),
  ];
}

// A source in another script is compared by what is the same in both: figures, dates, names.
function speaksOf({ text, whole }: Sentence, claims: Claims, source: Original): boolean {
  const own = shinglesOf(text);
  // A row of a table has words for its columns, and what it claims in a cell.
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
  return shared(own, source.shingles) >= (own.size <= SHORT ? 1 : LEAST_SHARED);
}

/** The passage of a source that bears a sentence out, as it stands there. */
function passageFor(text: string, { figures, dates, names, quotes }: Claims, source: Original): string {
  const own = shinglesOf(text);
  let best = { passage: '', weight: -1 };
  for (const passage of source.passages()) {
    const weight =
      3 * figures.filter((one) => passage.figures.some((told) => sameFigure(one, told))).length +
      2 * dates.filter((one) => passage.dates.some((told) => sameDate(one.date, told, source.years))).length +
      names.filter((name) => holdsName(passage.names, name)).length +
      5 * quotes.filter((quote) => passage.quotes.includes(quoteText(quote))).length +
      shared(own, passage.shingles) / Math.max(8, own.size);
    if (weight > best.weight) best = { passage: passage.text, weight };
  }
  return best.passage;
}
