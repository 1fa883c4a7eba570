import { latestTimeIn } from '@casefile/pipeline/reading/index';
import type { Read } from '../look-ups.js';
import { CHANGE } from '../timeline.js';
import { seriesIn, type Sample } from './samples.js';

/**
 * When something changed, compared with the start of the alert. `before`: at or shortly before the start, at `at`.
 * `after`: only after the start. `steady`: it was the same well before the start. `unknown`: the look-up does not show it.
 */
export type Onset = { when: 'before'; at: number } | { when: 'after' | 'steady' | 'unknown' };

/** Time before the start from which values count as those of the alert, in milliseconds. */
const LEAD_MS = 15 * 60_000;
/** Time before the start in which an event may have led to the alert. */
const EVENT_MS = 24 * 3_600_000;
/** Clocks of two systems differ by less, in milliseconds. */
const CLOCK_MS = 60_000;
/** Time after the start from which a change is later for certain: an alert may report its start late. */
const LATE_MS = 5 * CLOCK_MS;
/** Values needed before the alert, and since. */
const LEAST_BEFORE = 3;
const LEAST_SINCE = 2;
/** Share of the range of earlier values by which a later one may exceed it. */
const TOLERANCE = 0.1;
/** Earlier lines of the same words from which an event counts as usual. */
const USUAL = 2;
const MOST_TEXT = 200_000;
const MOST_LINES = 4_000;
const MOST_LINE = 1_000;

const UNKNOWN: Onset = { when: 'unknown' };

/** Lines from well before the start: how often each occurs, and the look-ups that have some. */
export interface EarlierLines {
  counts: ReadonlyMap<string, number>;
  ids: ReadonlySet<string>;
}

/** Returns the lines of look-ups from well before the start, without their figures. */
export function earlierLines(reads: readonly Read[], startsAt: number): EarlierLines {
  const [counts, ids] = [new Map<string, number>(), new Set<string>()];
  const seen = new Set<string>();
  for (const { id, text } of reads)
    for (const line of text.slice(0, MOST_TEXT).split('\n', MOST_LINES)) {
      const at = latestTimeIn(line.slice(0, MOST_LINE), startsAt);
      if (at === null || at >= startsAt - LEAD_MS) continue;
      ids.add(id);
      // Two look-ups may show the same event.
      if (seen.has(line)) continue;
      seen.add(line);
      counts.set(wordsOnly(line), (counts.get(wordsOnly(line)) ?? 0) + 1);
    }
  return { counts, ids };
}

/** Returns when the thing changed that a line of a look-up shows: a value of a series, or an event with its time. */
export function onsetOf(line: string, read: Read, startsAt: number, earlier: EarlierLines): Onset {
  const own = seriesIn(read.text).find((series) => series.some((sample) => sample.line === line));
  return own === undefined ? onsetOfEvent(line, read, startsAt, earlier) : onsetOfSeries(own, startsAt);
}

/** Returns when the values of a series left the range that they had before the alert. */
export function onsetOfSeries(samples: readonly Sample[], startsAt: number): Onset {
  const finite = samples.filter(({ value }) => Number.isFinite(value));
  const before = finite.filter(({ at }) => at < startsAt - LEAD_MS).map(({ value }) => value);
  const since = finite.filter(({ at }) => at >= startsAt - LEAD_MS).toSorted((a, b) => a.at - b.at);
  if (before.length < LEAST_BEFORE || since.length < LEAST_SINCE) return UNKNOWN;
  const [least, most] = [before.reduce((a, b) => Math.min(a, b)), before.reduce((a, b) => Math.max(a, b))];
  const margin = Math.max(most - least, Math.abs(most) * TOLERANCE) * TOLERANCE + Number.EPSILON;
  const isOutside = ({ value }: Sample) => value < least - margin || value > most + margin;
  const outside = since.filter(isOutside);
  if (outside.length * 2 < since.filter(({ at }) => at >= startsAt).length || outside.length < LEAST_SINCE)
    return { when: 'steady' };
  const first = outside[0]!;
  const last = since.findLast(({ at }) => at < first.at);
  // The change lies between two values.
  return first.at > startsAt + CLOCK_MS && (last === undefined || last.at > startsAt)
    ? { when: 'after' }
    : { when: 'before', at: first.at };
}

/**
 * A change of the day before the start counts. A state counts only if its look-up reaches back to the time before. Neither
 * does if lines of the same words are usual.
 */
function onsetOfEvent(line: string, { id }: Read, startsAt: number, { counts, ids }: EarlierLines): Onset {
  const at = latestTimeIn(line.slice(0, MOST_LINE), startsAt);
  if (at === null) return UNKNOWN;
  const isChange = CHANGE.test(line.slice(0, MOST_LINE));
  if (at > startsAt + CLOCK_MS) return isChange && at > startsAt + LATE_MS ? { when: 'after' } : UNKNOWN;
  if (at < startsAt - EVENT_MS || (counts.get(wordsOnly(line)) ?? 0) >= USUAL) return { when: 'steady' };
  return isChange || ids.has(id) ? { when: 'before', at } : UNKNOWN;
}

const wordsOnly = (line: string): string => line.slice(0, MOST_LINE).replace(/\d+/g, '#').trim();
