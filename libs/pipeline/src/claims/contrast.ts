import type { TypedClaim } from '@casefile/contracts';
import { datesIn } from '../reading/index.js';
import { countShared } from '../reading/shingles.js';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { measuresIn } from './measures.js';
import { contentWords } from './names.js';
import { WordList } from './word-lists.js';
import words from './words/contrast.json' with { type: 'json' };
import opposed from './words/opposed-states.json' with { type: 'json' };

const NOW = new WordList(words.now);
const UNTIL = new WordList(words.until);
const SINCE = new WordList(words.since);
const NOT: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(words.not).map(([code, forms]) => [
    code,
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms})(?![\\p{N}])(?:(?<=['’])|(?!\\p{L}))`, 'iu'),
  ]),
);
const OPPOSED = opposed.map(([one = '', other = '']) => [stateOf(one), stateOf(other)] as const);

function stateOf(forms: string): RegExp {
  const isHan = /\p{Script=Han}/u.test(forms);
  return new RegExp(isHan ? `(?:${forms})` : `(?<![\\p{L}\\p{N}])(?:${forms})(?![\\p{L}\\p{N}])`, 'iu');
}

const MOST_CLAUSES = 120;
const MOST_READ = 6_000;
const LEAST_COUNTED = 10;
/** Parts of a sentence, of which each states one thing. */
const CLAUSE = /[;；，。]|[,:.!?]\s|：|\s[–—]\s|\s(?=(?:also|soit|ossia|oftewel|czyli|то есть)\s)/u;
const YEAR = /(?<![\d.,/-])(?:19|20)\d\d(?![\d%])(?![.,]\d)/gu;
/** Years of the calendar of Taiwan, of which the first is 1912. */
const MINGUO = /(?:民國|(?<![\d.,]))(1\d\d)年/gu;
const MINGUO_FIRST = 1911;
const CLOCK =
  /(?<!\d)(?:(上午|下午|晚上|午前|午後) ?)?([01]?\d|2[0-3])(?::([0-5]\d)|[點点时時](?:([0-5]?\d)分)?)(?![\d:])/gu;
const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{2,30}/gu;

interface Value {
  dimension: string;
  key: string;
  said: string;
}

/** A part of a source with what it states. */
interface Clause {
  text: string;
  source: string;
  code: string | null;
  values: readonly Value[];
  years: readonly number[];
}

/** Returns the times of day, dates and quantities of a text. */
function valuesIn(text: string, code: string | null): Value[] {
  const clocks = [...text.matchAll(CLOCK)].map(
    ({ 0: said, 1: half = '', 2: hour, 3: minute, 4: more }): Value => {
      const late = /下午|晚上|午後/u.test(half) && Number(hour) < 12 ? 12 : 0;
      return { dimension: 'clock', key: `${Number(hour) + late}:${Number(minute ?? more ?? 0)}`, said };
    },
  );
  const dates = datesIn(text).flatMap(({ value: { m, d }, said }): Value[] =>
    m === undefined || d === undefined ? [] : [{ dimension: 'date', key: `${m}-${d}`, said }],
  );
  const spoken = [...clocks, ...dates].map(({ said }) => said).join(' ');
  const measures = measuresIn(text, code).flatMap(({ dimension, base, value, said }): Value[] => {
    if (spoken.includes(said.trim()) || (dimension === null && isYear(said))) return [];
    if (dimension === null && value < LEAST_COUNTED) return [];
    return [{ dimension: dimension ?? 'count', key: String(base), said }];
  });
  return [...clocks, ...dates, ...measures];
}

const isYear = (said: string): boolean => /^(?:19|20)\d\d$/.test(said.trim());

const yearsIn = (text: string): number[] => [
  ...[...text.matchAll(YEAR)].map(([year]) => Number(year)),
  ...[...text.matchAll(MINGUO)].map(([, year]) => Number(year) + MINGUO_FIRST),
];

const namesOf = (text: string): Set<string> =>
  new Set([...text.matchAll(NAME)].map(([name]) => name.toLowerCase()));

/** Returns the clauses of a cited source. A part without a value belongs to the one before it. */
function clausesOfSource({ id, text, sort, language }: CitedPlaces, ofClaim: string | null): Clause[] {
  if (sort === 'lines') return [];
  // A short source may not tell its language, and numbers are written alike in most pairs of claim and source.
  const code = language.code ?? ofClaim;
  const parts = text
    .slice(0, MOST_READ)
    .split(/(?<=[.!?])\s+|(?<=[。！？])/u)
    .flatMap((sentence) => {
      const own: string[] = [];
      for (const part of sentence.split(CLAUSE)) {
        const last = own.at(-1);
        const isAlone = last === undefined || valuesIn(part, code).length > 0;
        if (isAlone) own.push(part);
        else own[own.length - 1] = `${last}, ${part}`;
      }
      return own;
    })
    .filter((part) => part.trim() !== '');
  return parts.slice(0, MOST_CLAUSES).map((part) => ({
    text: part.trim(),
    source: id,
    code,
    values: valuesIn(part, code),
    years: yearsIn(part),
  }));
}

const contradicted = (
  dimension: TypedClaim['dimension'],
  stated: string,
  { text, source }: Pick<Clause, 'text' | 'source'>,
): TypedClaim => ({
  dimension,
  stated: stated.slice(0, 200),
  says: text.slice(0, 200),
  source,
  result: 'contradicted',
});

/**
 * Compares a claim with all clauses of the cited prose. It is contradicted if a source states its value of something else
 * and another value of its subject, an older value than the newest, an ended state, or the same words negated.
 */
export function checkContrast(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
): TypedClaim[] {
  const clauses = cited.flatMap((one) => clausesOfSource(one, language));
  if (clauses.length === 0) return [];
  const contrast =
    boundToOther(claim, language, clauses) ??
    // A short claim may not tell its language; its numbers are written as in its source.
    olderValue(claim, language ?? clauses[0]?.code ?? null, clauses) ??
    endedState(claim, language, cited) ??
    partOfWhole(claim, language, cited) ??
    otherClause(claim, clauses) ??
    negatedWords(claim, language, cited);
  return contrast === null ? [] : [contrast];
}

const sameValue = (a: Value, b: Value): boolean => a.dimension === b.dimension && a.key === b.key;
const hasOther = ({ values }: Clause, value: Value): boolean =>
  values.some((one) => one.dimension === value.dimension) && !values.some((one) => sameValue(one, value));

/** `Lift-off was at 18:00 in Paris` of `18:00 Tokyo time, 10:00 in Paris`. */
function boundToOther(claim: string, language: string | null, clauses: readonly Clause[]): TypedClaim | null {
  const named = termsOf(claim);
  const terms = new Set([...named, ...longWords(claim)]);
  for (const value of valuesIn(claim, language)) {
    const own = clauses.filter(({ values }) => values.some((one) => sameValue(one, value)));
    if (own.length === 0) continue;
    const others = clauses.filter(
      (one) => hasOther(one, value) && own.some(({ source }) => source === one.source),
    );
    const missing = [...terms].filter((term) => own.every(({ text }) => !names(text, term)));
    const rival = others.find(({ text }) => missing.some((term) => names(text, term)));
    if (rival === undefined) continue;
    // The clause with the value must be about something that the claim does not name.
    const isForeign = own.every(({ text }) => [...termsOf(text)].some((term) => !names(claim, term)));
    const isNamed = own.some(({ text }) => [...named].every((term) => names(text, term)) && named.size > 0);
    if (isForeign && !isNamed) return contradicted(dimensionOf(value), claim, rival);
  }
  return null;
}

const dimensionOf = ({ dimension }: Value): TypedClaim['dimension'] =>
  dimension === 'clock' || dimension === 'date' ? 'time' : 'subject';

const HAN_TERM = /(?:^|[於在，。；、])([\p{Script=Han}]{2})/gu;
/** Names of a text; in Chinese, the first two signs of its parts, which mostly begin with a subject or a place. */
function termsOf(text: string): Set<string> {
  const han = [...text.matchAll(HAN_TERM)].map(([, term = '']) => term);
  return new Set([...namesOf(text), ...han]);
}
const names = (text: string, term: string): boolean => text.toLowerCase().includes(term);

/** `Today it is 24,000` of `In 2021 it was 24,000, from 2026 29,500`. */
function olderValue(claim: string, language: string | null, clauses: readonly Clause[]): TypedClaim | null {
  if (NOW.first(claim, language) === null || yearsIn(claim).length > 0) return null;
  for (const value of valuesIn(claim, language)) {
    const own = clauses.filter(({ values }) => values.some((one) => sameValue(one, value)));
    const latest = Math.max(...own.flatMap((one) => yearsOfValue(one, value)));
    if (!Number.isFinite(latest)) continue;
    const newer = clauses.find((one) =>
      one.values.some(
        (other) =>
          other.dimension === value.dimension && yearsOfValue(one, other).some((year) => year > latest),
      ),
    );
    if (newer !== undefined) return contradicted('time', claim, newer);
  }
  return null;
}

/** Returns the years of a value: of several in one clause, the nearest (`had 8,400 in 2011 and has 5,150 in 2026`). */
function yearsOfValue({ text, years, values }: Clause, value: Value): readonly number[] {
  const own = values.find((one) => sameValue(one, value))?.said.trim();
  if (years.length < 2 || values.length < 2 || own === undefined) return years;
  const at = text.indexOf(own);
  const apart = (index: number): number => (index < at ? at - index : index - at - own.length);
  const placed = [...text.matchAll(YEAR)].map(({ 0: year, index }) => ({ year, apart: apart(index) }));
  const [nearest] = placed.toSorted((a, b) => a.apart - b.apart);
  return nearest === undefined ? years : [Number(nearest.year)];
}

/** `The bridge is open` of `open in 2023, closed since February 2026`; `X leads it` of `X led it until 2022`. */
function endedState(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
): TypedClaim | null {
  if (yearsIn(claim).length > 0 || UNTIL.first(claim, language) !== null) return null;
  const own = contentWords(claim);
  for (const one of cited) {
    if (one.sort === 'lines') continue;
    const { code } = one.language;
    const text = one.text.slice(0, MOST_READ);
    for (const segment of citedSegments(one)) {
      const until = UNTIL.in(segment, code).find(({ to }) => yearsIn(segment.slice(to, to + 16)).length > 0);
      const hasMore = SINCE.first(text, code) !== null || yearsIn(text).length > 1;
      if (until !== undefined && hasMore && countShared(own, contentWords(segment)) >= 2)
        return contradicted('time', claim, { text: segment, source: one.id });
    }
    for (const pair of OPPOSED)
      for (const [state, other] of [pair, [pair[1], pair[0]] as const]) {
        if (!state.test(claim) || other.test(claim) || !state.test(text)) continue;
        const turned = text.split(/(?<=[.!?])\s+|[。！？;；，]|,\s/u).find((part) => other.test(part));
        const isNewer = turned !== undefined && SINCE.first(turned, code) !== null;
        if (isNewer && yearsIn(text).length > 1)
          return contradicted('time', claim, { text: turned, source: one.id });
      }
  }
  return null;
}

/** `The agency recalls vaccine Meriva` of `The agency recalls vaccine Solvac. Vaccine Meriva stays available.` */
function otherClause(claim: string, clauses: readonly Clause[]): TypedClaim | null {
  const own = longWords(claim);
  const named = new Set(
    [...namesOf(claim)].filter((name) => !claim.toLowerCase().startsWith(name) || own.size < 3),
  );
  const read = clauses.map((clause) => ({
    clause,
    words: longWords(clause.text),
    terms: namesOf(clause.text),
  }));
  const [best] = read.toSorted((a, b) => countShared(own, b.words) - countShared(own, a.words));
  if (best === undefined || countShared(own, best.words) < 2) return null;
  const missing = [...named].filter((name) => !best.terms.has(name));
  const isForeign = ({ clause, terms }: (typeof read)[number]) =>
    [...terms].some((name) => !names(claim, name) && !clause.text.toLowerCase().startsWith(name));
  const rival = read.find((one) => {
    if (one === best || missing.length === 0 || one.clause.source !== best.clause.source) return false;
    if (!missing.every((name) => one.terms.has(name))) return false;
    const isOfSame = [...one.words].some((word) => own.has(word) && best.words.has(word));
    return isOfSame ? isForeign(one) || isForeign(best) : isForeign(one) && isForeign(best);
  });
  return rival === undefined ? null : contradicted('subject', claim, rival.clause);
}

const LEAST_LETTERS = 4;
const longWords = (text: string): Set<string> =>
  new Set([...contentWords(text)].filter((word) => word.length >= LEAST_LETTERS));

/** `3 of the 58 bridges`, `two of 31`, `Of 64 beaches, 2`, `212 schools, of which 5`. */
const OF_WHOLE =
  /(?:(?<=[.!?。！？]\s?|^)(?:of|von|de|sur|su|van|di|z|из)\s(?:the|den|las?|los|les|i|le|de)?\s?#(?=[^.!?;#]{1,60}[,:]\s#))|#\s(?:\p{L}+\s){0,2}(?:of|out of|von|der|de|des|du|dei|delle|dos|das|sur|su|van|di|z|из)\s(?:the|den|las?|los|les|de|i|le)?\s?#|#[^#。；]{1,8}中[，,]?[^#。；]{0,6}#/iu;
const byLanguage = (table: Readonly<Record<string, string>>): ReadonlyMap<string, RegExp> =>
  new Map(Object.entries(table).map(([code, forms]) => [code, stateOf(forms)]));
const EVERY = byLanguage(words.every);
const FEW = byLanguage(words.few);

/** `All bridges` of `3 of the 58 bridges`. A source that speaks of a part states nothing of all. */
function partOfWhole(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
): TypedClaim | null {
  if (language === null || EVERY.get(language)?.test(claim) !== true) return null;
  const own = contentWords(claim);
  // A claim that states the numbers states the part itself.
  if (measuresIn(claim, language).length > 0) return null;
  for (const one of cited) {
    if (one.sort === 'lines') continue;
    for (const segment of citedSegments(one)) {
      const numbers = measuresIn(segment, one.language.code).filter(({ dimension }) => dimension === null);
      // Numbers in words and in figures are alike here.
      const read = numbers.reduceRight(
        (text, { from, said }) => `${text.slice(0, from)}#${text.slice(from + said.trimEnd().length)}`,
        segment,
      );
      const small = FEW.get(one.language.code ?? '')?.exec(read);
      const all = small === null || small === undefined ? read : read.replace(small[0], '#');
      const values = numbers.map(({ value }) => value);
      const [least, most] = [all === read ? Math.min(...values) : 0, Math.max(...values)];
      const isShared = countShared(own, contentWords(segment)) > 0 || language === 'zh' || language === 'ja';
      if (least < most && isShared && OF_WHOLE.test(all))
        return contradicted('scope', claim, { text: segment, source: one.id });
    }
  }
  return null;
}

/** All words of the claim in one clause that negates them, or the reverse. English and Chinese have tables of their own. */
function negatedWords(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
): TypedClaim | null {
  const form = language === null ? undefined : NOT.get(language);
  if (form === undefined) return null;
  const own = contentWords(claim);
  if (own.size < 2) return null;
  const isNegated = form.test(claim);
  for (const one of cited) {
    if (one.sort === 'lines' || one.language.code !== language) continue;
    const holding = citedSegments(one)
      .flatMap((segment) => segment.split(/[;:]\s|,\s|\s[–—]\s/u))
      .filter((clause) => countShared(own, contentWords(clause)) === own.size);
    const [first] = holding;
    if (first !== undefined && holding.every((clause) => form.test(clause) !== isNegated))
      return contradicted('state', claim, { text: first, source: one.id });
  }
  return null;
}
