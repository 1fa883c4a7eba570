import { CronExpressionParser } from 'cron-parser';

/** A cron expression of five fields (minute, hour, day, month, weekday) and its IANA time zone. */
export interface Timing {
  cron: string;
  timezone: string;
}

const FIELDS = 5;
/** Longest expression, in characters. */
const LONGEST = 200;
// `H` stands for a random value, which would differ between processes.
const RANDOM = /(?:^|[\s,])h/i;
/**
 * Milliseconds to start before the searched time. When the clock changes, the parser returns a repeated local
 * time once if it counts forwards and twice if it counts backwards, so due times are counted forwards.
 */
const COUNT_FROM_MS = 3 * 3_600_000;

/** Returns what is wrong with a cron expression, or null. */
export function cronProblem(cron: string): string | null {
  const expected = 'expected five cron fields (minute hour day month weekday), for example 0 6 * * 1-5';
  const fields = cron.trim().split(/\s+/);
  if (cron.length > LONGEST || fields.length !== FIELDS || RANDOM.test(cron)) return expected;
  try {
    CronExpressionParser.parse(cron, { tz: 'UTC' }).next();
    return null;
  } catch (error) {
    return `${expected}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns whether the runtime knows this IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the first due time after `afterMs`. Times are milliseconds since the Unix epoch. null: there is none. */
export function nextDue({ cron, timezone }: Timing, afterMs: number): number | null {
  try {
    const expression = CronExpressionParser.parse(cron, { tz: timezone, currentDate: new Date(afterMs) });
    return expression.next().getTime();
  } catch {
    return null;
  }
}

/** Returns the last due time in the time after `afterMs` up to `nowMs`, or null. */
export function lastDue(timing: Timing, afterMs: number, nowMs: number): number | null {
  let last: number | null = null;
  let next = nextDue(timing, Math.max(afterMs, previousDue(timing, nowMs) - COUNT_FROM_MS));
  while (next !== null && next <= nowMs) {
    last = next;
    next = nextDue(timing, next);
  }
  return last;
}

function previousDue({ cron, timezone }: Timing, nowMs: number): number {
  try {
    // The parser excludes the given time itself.
    const options = { tz: timezone, currentDate: new Date(nowMs + 1) };
    return CronExpressionParser.parse(cron, options).prev().getTime();
  } catch {
    return nowMs;
  }
}
