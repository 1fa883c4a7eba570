import type { TypedClaim } from '@casefile/contracts';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { citedClauses } from './subject.js';
import { ownTime, SAME_MINUTE_MS, timesIn } from './times.js';
import { WordList } from './word-lists.js';
import modality from './words/modality.json' with { type: 'json' };

const LASTING = new WordList(modality.lasting);
const BEGINS = new WordList(modality.begins);
/** Time after the start within which an event stated by a time of day may still have caused it. */
const CLOCK_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** One cited part with its own time in milliseconds; null: it states none. */
interface TimedPart {
  id: string;
  ms: number | null;
  isLasting: boolean;
}

function timedParts(cited: readonly CitedPlaces[], near: number): TimedPart[] {
  return cited.flatMap((one) =>
    citedClauses(one).map((text) => {
      const line = citedSegments(one).find((segment) => segment.includes(text)) ?? text;
      const ms = (ownTime(text, near) ?? ownTime(line, near))?.ms ?? null;
      return { id: one.id, ms, isLasting: LASTING.first(text, one.language.code) !== null };
    }),
  );
}

/**
 * Compares the time of a claim about the present with the times of the cited parts. It holds if one of them is from after
 * the start, or is a reading without a time. It is contradicted if all are from before.
 * @param startsAt Start of the occurrence in milliseconds.
 */
export function checkNow(cited: readonly CitedPlaces[], startsAt: number): TypedClaim[] {
  const parts = timedParts(cited, startsAt);
  const stated = `after ${iso(startsAt)}`;
  const later = parts.find(({ ms }) => ms !== null && ms + SAME_MINUTE_MS > startsAt);
  const part = (result: TypedClaim['result'], says: string, source: string | null): TypedClaim[] => [
    { dimension: 'time', stated, says, source, result },
  ];
  if (later !== undefined) return part('holds', iso(later.ms!), later.id);
  const untimed = parts.find(({ ms }) => ms === null);
  if (untimed !== undefined) return part('not_checked', 'it states no time', untimed.id);
  const [first] = parts;
  return first === undefined ? [] : part('contradicted', iso(first.ms!), first.id);
}

/** Age from which a report of an error no longer explains an occurrence, in milliseconds. */
const STALE_MS = 3 * 24 * 3_600_000;

/**
 * Compares the time of a cause with the start. A change that began after the start is no cause (order). Reports that are
 * older than three days and state nothing that lasts do not explain the occurrence (time).
 * @param startsAt Start of the occurrence in milliseconds.
 */
export function checkCauseTimes(cited: readonly CitedPlaces[], startsAt: number): TypedClaim[] {
  const events = cited.flatMap((one) =>
    citedSegments(one).flatMap((text) => {
      const word = BEGINS.first(text, one.language.code);
      const times = timesIn(text, startsAt);
      const [first] = times;
      return word === null || first === undefined ? [] : [{ id: one.id, text, times, time: first }];
    }),
  );
  // A line with several times tells of a later event only if each of them is later.
  const after = events.filter(({ times }) =>
    times.every(({ ms, isPrecise }) => ms > startsAt + (isPrecise ? MINUTE_MS : CLOCK_MS)),
  );
  const order: TypedClaim[] =
    events.length > 0
      ? [
          {
            dimension: 'order',
            stated: `before ${iso(startsAt)}`,
            says: iso((after[0] ?? events[0]!).time.ms),
            source: (after[0] ?? events[0]!).id,
            result: after.length === events.length ? 'contradicted' : 'holds',
          },
        ]
      : [];
  const parts = timedParts(cited, startsAt);
  const isStale =
    parts.length > 0 &&
    parts.every(({ ms, isLasting }) => ms !== null && ms < startsAt - STALE_MS && !isLasting);
  const [first] = parts;
  return isStale && first !== undefined
    ? [
        ...order.filter(({ result }) => result === 'contradicted'),
        {
          dimension: 'time',
          stated: `near ${iso(startsAt)}`,
          says: iso(first.ms!),
          source: first.id,
          result: 'contradicted',
        },
      ]
    : order;
}

/** Words of a time in a claim that a cited part has as well. */
export function checkStatedTimes(
  claim: string,
  cited: readonly CitedPlaces[],
  near: number | null,
): TypedClaim[] {
  const claimed = timesIn(claim, near).slice(0, 6);
  const contradictions = cited.flatMap((one) =>
    citedSegments(one).flatMap((text) => timesIn(text, near).map((time) => ({ id: one.id, ...time }))),
  );
  return claimed.map((time) => {
    const same = contradictions.find(({ ms }) => Math.abs(ms - time.ms) < MINUTE_MS);
    return {
      dimension: 'time',
      stated: time.said,
      says: same?.said ?? 'not in the cited parts',
      source: same?.id ?? null,
      result: same === undefined ? 'not_checked' : 'holds',
    };
  });
}
