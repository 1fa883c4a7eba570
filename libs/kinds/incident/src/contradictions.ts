import type { ReadCitation, RunSettings } from '@casefile/contracts';
import type { Contradiction } from '@casefile/pipeline/parts/contradicting';
import { inLine } from '@casefile/pipeline/plain-text';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { measuresIn, problemIn } from '@casefile/pipeline/claims/index';
import { showsStateNow, type Read } from './look-ups.js';
import { options } from './options.js';
import { readsOf, resultIn } from './read-result.js';
import { incidentIn } from './runbook.js';
import { ABSENCE_WORDS, latestTimeIn, parseNumber, unitFrom } from '@casefile/pipeline/reading/index';

/** Words in a query result that show a problem. */
export interface Alarm {
  /** Id of the query. */
  id: string;
  words: string;
  weight: number;
}

/** States that show a problem, with their weights: two weak ones count as much as a certain one. */
const STATES: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/\bOOM[ -]?Killed\b|\bout of memory\b/i, 1],
  [/\bCrash ?Loop ?Back ?Off\b|\bcrash[ -]loop(?:s|ing)?\b/i, 1],
  [/\b(?:ImagePullBackOff|ErrImagePull|CreateContainerConfigError)\b/, 1],
  [/\bNot ?Ready\b/i, 1],
  [/\bfiring\b/i, 1],
  [/\bunhealthy\b/i, 1],
  [/\bno space left on device\b/i, 1],
  [/\b(?:above|over|exceed(?:s|ed|ing)?|beyond) (?:the |its )?(?:limit|threshold|maximum|quota)\b/i, 1],
  [/\b(?:DiskPressure|MemoryPressure|PIDPressure)\b/, 1],
  [/\bEvicted\b/, 0.5],
  [/\bconnection (?:refused|reset)\b|\b(?:deadline exceeded|timed out)\b/i, 0.5],
  [/\b(?:FATAL|PANIC|CRITICAL)\b/, 0.5],
];
/** Words before a state that negate it. */
const DENIED = new RegExp(
  String.raw`(?:\b(?:${ABSENCE_WORDS}|nothing|isn't|aren't|wasn't|0)\b[\s:=]*(?:\w{1,12}\s){0,2}|[:=]\s?0\s)$`,
  'i',
);
/** Words after a state that give a count of none. */
const NONE_BEHIND = /^"?\s{0,2}[:=]\s{0,2}"?(?:0\b(?![.,]\d)|false\b|none\b|no\b|null\b)/i;
/** Words in a later line of the same result that report the end. */
const OVER =
  /\b(?:resolved|recovered|recovery|inactive|cleared|healthy again|back to normal|became ready|is ready)\b/i;

/** A value with its limit: `612 (limit 600)`, `97 % (threshold 90 %)`. */
const BEFORE_LIMIT =
  /(?<![\d.,:/-])(\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)\s?([a-z%]{0,6})[\s,;(]{1,4}(?:limit|max(?:imum)?|threshold|capacity|quota)\b[^\d\n]{0,12}(\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)\s?([a-z%]{0,6})/gi;
/** `used 50, max 50`. */
const USED_OF =
  /\b(?:used|in use|current|value|usage)\b"?[^\d\n]{0,6}(\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)\s?([a-z%]{0,6})[^\d\n]{1,20}\b(?:limit|max(?:imum)?|threshold|capacity|quota)\b"?[^\d\n]{0,12}(\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)\s?([a-z%]{0,6})/gi;
/** A count with its total: `50 of 50 connections in use`. */
const IN_USE =
  /(?<![\d.,:/-])(\d{1,9})()\s?(?:of|\/)\s?(\d{1,9})\b()(?=[^\d\n]{0,24}\b(?:in use|used|busy|full|exhausted)\b)/gi;
/** Words before a value for which high is healthy. */
const HIGH_IS_WELL =
  /\b(?:free|available|remaining|left|ready|healthy|success\w*|hit|uptime|idle)\b[^\n]{0,24}$/i;

/** Entries older than this before the alert began are ignored, in milliseconds. */
const STALE_MS = 3_600_000;
const MOST_LINES = 4_000;
const LINE_READ = 2_000;

/**
 * Returns contradictions of a model's claim that nothing is wrong: states, and values at their limits, in its
 * own queries.
 */
export function contradictions(
  { draft, brief, evidence }: ReviewInput,
  settings: RunSettings,
): Contradiction[] {
  const { falseAlarm } = resultIn(draft);
  if (draft.method === 'heuristic' || falseAlarm === null) return [];
  const { startsAt } = incidentIn(brief);
  const alarms = readsOf(evidence, draft)
    .filter(showsStateNow)
    .flatMap((read) => alarmsIn(read, startsAt));
  const weight = alarms.reduce((sum, one) => sum + one.weight, 0);
  if (weight < options.read(settings.options).contradictedFrom) return [];
  const worst = alarms.toSorted((a, b) => b.weight - a.weight).slice(0, 3);
  return [
    {
      by: 'look_ups',
      message: `The model reports a false alarm (${quotedCitations(falseAlarm)}), but its look-ups say otherwise: ${quotedCitations(
        worst.map(({ id, words }) => ({ id, quote: words })),
      )}.`,
    },
  ];
}

const quotedCitations = (citations: readonly ReadCitation[]): string =>
  citations
    .slice(0, 3)
    .map(({ id, quote }) => `“${inLine(quote, 200)}” [${id}]`)
    .join(', ');

/** Returns the words of a result that show a problem, each state once; none for a failed query. */
export function alarmsIn({ id, text }: Pick<Read, 'id' | 'text'>, startsAt: string | null): Alarm[] {
  const since = startsAt === null ? null : Date.parse(startsAt);
  const lines = text
    .split('\n', MOST_LINES)
    .map((line) => line.slice(0, LINE_READ))
    .filter((line) => !isStale(line, since));
  const lastOver = lines.findLastIndex((line) => OVER.test(line));
  const open = lines.slice(lastOver + 1);
  const states = STATES.flatMap(([pattern, weight]): Alarm[] => {
    const line = open.find((one) => isStated(one, pattern));
    return line === undefined ? [] : [{ id, words: inLine(line, 200), weight }];
  });
  const limit = valueAtLimit(lines);
  const problem = states.some(({ weight }) => weight >= 1) ? null : newestProblem(open, since);
  return [
    ...states,
    ...(problem === null ? [] : [{ id, words: inLine(problem, 200), weight: 1 }]),
    ...(limit === null ? [] : [{ id, words: limit, weight: 1 }]),
  ];
}

/** States in other languages, and shares such as `503 to 7 of 8`. */
function newestProblem(lines: readonly string[], since: number | null): string | null {
  return lines.findLast((line) => problemIn(line, since) !== null) ?? null;
}

function isStale(line: string, since: number | null): boolean {
  const moment = since === null ? null : latestTimeIn(line, null);
  return moment !== null && moment < since! - STALE_MS;
}

function isStated(line: string, pattern: RegExp): boolean {
  const found = pattern.exec(line);
  if (found === null) return false;
  const before = line.slice(Math.max(0, found.index - 40), found.index);
  const behind = line.slice(found.index + found[0].length, found.index + found[0].length + 12);
  return !DENIED.test(before) && !NONE_BEHIND.test(behind);
}

/** Returns a value and its limit in one unit; null: their units cannot be compared. */
function comparable(
  [value, unit]: [string, string],
  [limit, unitOfLimit]: [string, string],
): [number, number] | null {
  const plain: [number, number] = [parseNumber(value) ?? 0, parseNumber(limit) ?? 0];
  if (unit === '' || unitOfLimit === '' || unitFrom(unit) === unitFrom(unitOfLimit)) return plain;
  const [one] = measuresIn(`${value} ${unit}`);
  const [other] = measuresIn(`${limit} ${unitOfLimit}`);
  if (one === undefined || other === undefined || one.dimension === null) return null;
  return one.dimension === other.dimension ? [one.base, other.base] : null;
}

/** Returns the line with the newest value of a limit that is at or above it; null: none. */
function valueAtLimit(lines: readonly string[]): string | null {
  const newest = new Map<string, { line: string; isReached: boolean }>();
  for (const line of lines) {
    for (const pattern of [BEFORE_LIMIT, USED_OF, IN_USE]) {
      for (const match of line.matchAll(pattern)) {
        const [, value, unit = '', limit, unitOfLimit = ''] = match;
        if (HIGH_IS_WELL.test(line.slice(Math.max(0, match.index - 48), match.index))) continue;
        const compared = comparable([value ?? '', unit], [limit ?? '', unitOfLimit]);
        if (compared === null) continue;
        const [figure, least] = compared;
        const isReached = least > 0 && figure >= least;
        newest.set(`${limit} ${unitOfLimit}`, { line, isReached });
      }
    }
  }
  const reached = [...newest.values()].find(({ isReached }) => isReached);
  return reached === undefined ? null : inLine(reached.line, 200);
}
