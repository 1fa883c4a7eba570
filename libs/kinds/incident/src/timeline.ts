import type { IncidentResult, Moment } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import { alarmsIn } from './contradictions.js';
import { showsStateNow, type Read } from './look-ups.js';
import type { Incident } from './alert.js';
import { latestTimeIn } from '@casefile/pipeline/reading/index';

const MOST = 20;
const MOST_OF_ONE = 6;
const LINES_READ = 2_000;
const LINE_READ = 1_000;
const LINE_SHOWN = 200;
/** Window around the start of an alert in which events count, in milliseconds before and after. */
const BEFORE_MS = 48 * 3_600_000;
const AFTER_MS = 48 * 3_600_000;
/** A change, or a step in the life of a process. */
export const CHANGE =
  /\b(?:deploy(?:ed|ment|s)?|releas(?:e|ed|es)|rolled|rollout|rollback|upgrad(?:e|ed)|merged|migrat(?:ed|ion)|config(?:uration)? chang(?:e|ed)|flag|scaled|start(?:ed|ing)|restarted|terminat(?:ed|ing)|failover|promoted|drained)\b/i;

/** The time at the beginning of a line. */
const OWN_TIME =
  /^[[(]?(?:\d{4}-\d{2}-\d{2}[T ])?\d{2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?[\])]?[\s,:]{1,4}(?=\S)/;

const ERROR = /\b(?:ERROR|FATAL|PANIC|SEVERE|EMERG)\b/;

/** Sources of a timeline. */
export interface TimelineInput {
  incident: Pick<Incident, 'startsAt' | 'name'>;
  reads: readonly Read[];
}

/**
 * Returns events, the oldest first, each with its source: the start and end of the alert, and lines of the
 * look-ups with a time. A line is included if it is cited, or shows a change or a problem. At most 20 events,
 * the nearest to the start.
 */
export function incidentResultTimeline(
  {
    hypotheses,
    ruledOut,
    resolvedAt,
    lookUps,
  }: Pick<IncidentResult, 'hypotheses' | 'ruledOut' | 'resolvedAt' | 'lookUps'>,
  { incident: { startsAt, name }, reads }: TimelineInput,
): Moment[] {
  const start = startsAt === null ? NaN : Date.parse(startsAt);
  const near = Number.isNaN(start) ? firstTime(lookUps) : start;
  const quotes = [...hypotheses, ...ruledOut].flatMap(({ citations }) => citations);
  const read = reads.filter(showsStateNow).flatMap((one) =>
    readMoments(
      one,
      near,
      startsAt,
      quotes.filter(({ id }) => id === one.id).map(({ quote }) => quote),
    ),
  );
  const own: Moment[] = [
    ...(Number.isNaN(start) ? [] : [momentAt(start, `The alert ${inLine(name, 120)} began.`, 'alert')]),
    ...(resolvedAt === null
      ? []
      : [{ at: resolvedAt, what: 'Its sender reported that it is over.', source: 'alert' }]),
  ];
  const each = read.filter(
    ({ at, what }, i) => read.findIndex((one) => one.at === at && one.what === what) === i,
  );
  const nearest = each
    .toSorted((a, b) => Math.abs(Date.parse(a.at) - near) - Math.abs(Date.parse(b.at) - near))
    .slice(0, MOST - own.length);
  return [...own, ...nearest].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const momentAt = (at: number, what: string, source: string): Moment => ({
  at: new Date(at).toISOString(),
  what,
  source,
});

function firstTime(lookUps: IncidentResult['lookUps']): number {
  return Date.parse(lookUps[0]?.at ?? '');
}

function readMoments(read: Read, near: number, startsAt: string | null, quotes: readonly string[]): Moment[] {
  if (read.gap !== null || Number.isNaN(near)) return [];
  const alarms = new Set(alarmsIn(read, startsAt).map(({ words }) => words));
  const found = new Map<string, Moment>();
  for (const line of read.text.split('\n', LINES_READ)) {
    const text = inLine(line.slice(0, LINE_READ), LINE_SHOWN);
    const isTelling =
      alarms.has(text) ||
      CHANGE.test(text) ||
      ERROR.test(text) ||
      quotes.some((quote) => quote !== '' && line.includes(quote));
    const what = text.replace(OWN_TIME, '');
    // Lines that differ only in numbers are listed once, with the first time.
    const key = what.replace(/\d+/g, '#');
    if (!isTelling || found.has(key)) continue;
    const at = latestTimeIn(text, near);
    if (at === null || at < near - BEFORE_MS || at > near + AFTER_MS) continue;
    found.set(key, momentAt(at, what, read.id));
    if (found.size >= MOST_OF_ONE * 4) break;
  }
  const moments = [...found.values()];
  const isNearer = (a: Moment, b: Moment) =>
    Math.abs(Date.parse(a.at) - near) - Math.abs(Date.parse(b.at) - near);
  return moments.toSorted(isNearer).slice(0, MOST_OF_ONE);
}
