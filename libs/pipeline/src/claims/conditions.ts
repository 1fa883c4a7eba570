import type { TypedClaim } from '@casefile/contracts';
import type { CitedPlaces } from './cited-places.js';
import { claimLanguage } from './claim-language.js';
import { isSameMeasure, measuresIn, type Measure } from './measures.js';
import { clausesOfLine } from './segments.js';
import { citedClauses } from './subject.js';
import { ownTime, SAME_MINUTE_MS, timesIn } from './times.js';
import { WordList } from './word-lists.js';
import { isEmptyResult } from './wording.js';
import states from './words/states.json' with { type: 'json' };

const BAD = new WordList(states.bad);
const DOWN = new WordList(states.down);
const GOOD = new WordList(states.good);
const NONE = new WordList(states.none);
const OF =
  /(?<![\p{L}\d.,:/-])(\d{1,9}) ?(?:of|\/|von|de|sur|su|di|z|из|van|out of) ?(\d{1,9})(?![\d.,:/])/giu;
const HTTP_OK = /(?<![\d.,:])2\d\d(?= (?:ok|in)\b|\s?$|[;,])/iu;
const LIMIT =
  /\b(?:limit|max(?:imum)?|threshold|capacity|quota|grenze|límite|limite|limiet|порог|лимит)\b|阈值|上限|しきい値/iu;
/** Words after which a high value is wanted. */
const LOW_IS_BAD =
  /\b(?:only|below|under|less than|low(?:er)?|nur|unter|sólo|solo|seulement|apenas|slechts|tylko|только)\b|仅|僅|低于|わずか/iu;
const NEAR = 24;
/** Share from which failures are a problem, and below which a share of good ones is. */
const MANY_FAILED = 0.2;
const FEW_GOOD = 0.9;

/** Returns a word of a list that no negation and no zero denies; null: none. */
function stated(list: WordList, clause: string, language: string | null): string | null {
  const match = list.in(clause, language).find(({ from, to }) => {
    const before = clause.slice(Math.max(0, from - NEAR), from);
    const behind = clause.slice(to, to + 8);
    return (
      NONE.first(before.split(/[,;:，、]/u).at(-1) ?? '', language) === null &&
      !/^"?\s{0,2}[:=]?\s{0,2}"?(?:0\b(?![.,]\d)|false\b|none\b|no\b|なし|ない)/iu.test(behind)
    );
  });
  return match?.said ?? null;
}

/** Returns the words of a line that report a problem after the start; null: it reports none. */
export function problemIn(line: string, since: number | null): string | null {
  const { code, isUnread } = claimLanguage(line);
  if (isUnread) return null;
  for (const clause of clausesOfLine(line)) {
    const own = ownTime(clause, since) ?? ownTime(line, since);
    if (since !== null && own !== null && own.ms + SAME_MINUTE_MS < since) continue;
    if (hasBadShare(clause, code) || stated(DOWN, clause, code) !== null) return clause.trim();
  }
  return null;
}

function hasBadShare(clause: string, language: string | null): boolean {
  for (const { 1: part, 2: whole, index, 0: said } of clause.matchAll(OF)) {
    const share = Number(part) / Number(whole);
    if (Number(whole) === 0 || share > 1) continue;
    const around = `${clause.slice(Math.max(0, index - NEAR), index)} ${clause.slice(index + said.length, index + said.length + NEAR)}`;
    const isBad = BAD.first(around, language) !== null || /(?<!\d)5\d\d(?!\d)/.test(around);
    if (isBad && share >= MANY_FAILED) return true;
    if (!isBad && GOOD.first(around, language) !== null && share < FEW_GOOD) return true;
  }
  return measuresIn(clause, language).some(({ dimension, base, from, to }) => {
    if (dimension !== 'share') return false;
    const around = clause.slice(to, to + 16);
    const before = clause.slice(Math.max(0, from - NEAR), from);
    if (LIMIT.test(before)) return false;
    return (
      (/^ ?(?:good|successful|gut|erfolgreich|buen|correct|réussi|正常|成功)/iu.test(around) &&
        base < FEW_GOOD) ||
      (/^ ?(?:failed|fehlerhaft|fallid|échou|失败|失敗)/iu.test(around) && base >= MANY_FAILED)
    );
  });
}

/**
 * Compares a claim that nothing is wrong with the cited parts. It holds if a part from after the start states a good
 * state, a value within its limit, or a better value than the alert. It is contradicted if the newest part reports a
 * problem.
 * @param alert Text of the alert, for its figures.
 */
export function checkGoodState(
  alert: string,
  cited: readonly CitedPlaces[],
  since: number | null,
): TypedClaim[] {
  const clauses = cited.flatMap((one) =>
    isEmptyResult(one.text)
      ? []
      : citedClauses(one)
          .filter((clause) => !isBefore(clause, since))
          .map((clause) => ({
            id: one.id,
            clause,
            code: one.language.code,
            isUnread: one.language.isUnread,
          })),
  );
  const part = (result: TypedClaim['result'], says: string, source: string | null): TypedClaim[] => [
    { dimension: 'state', stated: 'nothing is wrong', says: says.slice(0, 200), source, result },
  ];
  const wrong = clauses.find(({ clause }) => problemIn(clause, since) !== null);
  if (wrong !== undefined) return part('contradicted', wrong.clause, wrong.id);
  const figures = measuresIn(alert);
  const good = clauses.find(
    ({ clause, code, isUnread }) => !isUnread && isGood(clause, code, { alert, figures, since }),
  );
  if (good !== undefined) return part('holds', good.clause, good.id);
  return part('not_checked', 'no cited line from after the start states a state that can be read', null);
}

function isBefore(clause: string, since: number | null): boolean {
  const times = since === null ? [] : timesIn(clause, since);
  return times.length > 0 && times.every(({ ms }) => ms + SAME_MINUTE_MS < since!);
}

interface AlertFigures {
  alert: string;
  figures: readonly Measure[];
  since: number | null;
}

function isGood(clause: string, language: string | null, { alert, figures, since }: AlertFigures): boolean {
  if (HTTP_OK.test(clause) || stated(GOOD, clause, language) !== null) return true;
  for (const { 1: part, 2: whole } of clause.matchAll(OF))
    if (part === whole && Number(whole) > 0) return true;
  const own = newestMeasures(clause, language, since);
  const [value, limit] = LIMIT.test(clause) ? [own.at(-2), own.at(-1)] : [undefined, undefined];
  const isFloor = LOW_IS_BAD.test(alert);
  if (
    value !== undefined &&
    limit !== undefined &&
    (value.dimension === limit.dimension || value.dimension === null || limit.dimension === null)
  )
    return isFloor ? value.base >= limit.base : value.base < limit.base;
  const bad = BAD.in(clause, language);
  return own.some((one) =>
    figures.some((source) => {
      const isSameKind =
        one.dimension !== null
          ? one.dimension === source.dimension
          : source.dimension === null && bad.length > 0 && BAD.first(alert, null) !== null;
      return (
        isSameKind &&
        !isSameMeasure(one, source) &&
        (isFloor ? one.base > source.base : one.base < source.base)
      );
    }),
  );
}

/** Returns the measures of a clause behind its newest time, in their order. */
function newestMeasures(clause: string, language: string | null, since: number | null): Measure[] {
  const times = timesIn(clause, since);
  const newest = times.reduce<(typeof times)[number] | null>(
    (best, one) => (best === null || one.ms >= best.ms ? one : best),
    null,
  );
  const own = measuresIn(clause, language).filter(
    ({ from }) => !times.some((time) => from >= time.from && from < time.to),
  );
  if (newest === null) return own;
  const next = times.filter(({ from }) => from > newest.from).map(({ from }) => from)[0] ?? Infinity;
  const behind = own.filter(({ from }) => from >= newest.to && from < next);
  return behind.length > 0 ? behind : own;
}
