import { namedOffset } from './zones.js';

/** A time that a text states. */
export interface StatedTime {
  /** Milliseconds since the epoch. */
  ms: number;
  /** Whether date and zone are written. A time of day alone is the one nearest to the alert. */
  isPrecise: boolean;
  from: number;
  to: number;
  said: string;
}

/** Offsets of zones in minutes. */
const ZONES: Readonly<Record<string, number>> = {
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  EST: -300,
  EDT: -240,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  JST: 540,
  KST: 540,
  SGT: 480,
  HKT: 480,
  AEST: 600,
  AEDT: 660,
};
const DATE = String.raw`\d{4}-\d{2}-\d{2}`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`;
const OFFSET = String.raw`(?:UTC|GMT)?[+-](?:0\d|1[0-4]):?(?:00|15|30|45)(?!\d)|(?:UTC|GMT)[+-]\d{1,2}(?!\d)|[A-Z]{3,4}(?![A-Za-z])|Z(?![A-Za-z])`;
const TIME = new RegExp(
  String.raw`(?<![\d:.,+T])(?:(?<date>${DATE})(?:[T ](?<at>${CLOCK})\s?(?<zone>${OFFSET})?)?|(?<clock>${CLOCK})(?<end>-${CLOCK}(?![\d:]))?\s?(?<clockZone>${OFFSET})?)(?!\d|:\d)`,
  'gu',
);
const LOOK = 60;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_READ = 4_000;
const MOST = 60;

/**
 * Returns the times of a text in their order; at most 60. A time without a zone is in UTC. A time of day without a date
 * is the one nearest to `near`, and is left out without `near`. A date alone is its last moment. Linear.
 */
export function timesIn(text: string, near: number | null): StatedTime[] {
  const statedTimes: StatedTime[] = [];
  for (const { 0: said, index: from, groups = {} } of text.slice(0, MOST_READ).matchAll(TIME)) {
    const { date, at, clock, end } = groups;
    const day = date === undefined ? near : Date.parse(date);
    const isOpen = (at ?? clock) !== undefined && day !== null && !Number.isNaN(day);
    const offset = isOpen
      ? namedOffset(text.slice(from + said.length, from + said.length + LOOK), day)
      : null;
    const [zone, clockZone] = [
      groups['zone'] ?? offset ?? undefined,
      groups['clockZone'] ?? offset ?? undefined,
    ];
    const common = { from, to: from + said.length, said: said.trim() };
    const times =
      date === undefined
        ? [clock, end?.slice(1)].map((one) => clockTime(one, clockZone, near))
        : [dayTime(date, at, zone)];
    for (const ms of times)
      if (ms !== null)
        statedTimes.push({ ...common, ms, isPrecise: at !== undefined || clockZone !== undefined });
    if (statedTimes.length >= MOST) break;
  }
  return statedTimes;
}

function dayTime(date: string, at: string | undefined, zone: string | undefined): number | null {
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(day)) return null;
  return day + (at === undefined ? DAY_MS - 1 : ofDay(at, zone));
}

function clockTime(at: string | undefined, zone: string | undefined, near: number | null): number | null {
  if (near === null || at === undefined) return null;
  const time = near - (near % DAY_MS) + ofDay(at, zone);
  const apart = time - near;
  if (apart > DAY_MS / 2) return time - DAY_MS;
  return apart < -DAY_MS / 2 ? time + DAY_MS : time;
}

function ofDay(clock: string, zone = ''): number {
  const [hour = 0, minute = 0, second = 0] = clock.split(/[:.,]/).map(Number);
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  const offset = sign === undefined ? (ZONES[zone] ?? 0) : sign === '-' ? -size : size;
  return ((hour * 60 + minute - offset) * 60 + second) * 1_000;
}

/** Returns the time at which a line begins, else its latest time; null: it states none. */
export function ownTime(line: string, near: number | null): StatedTime | null {
  const times = timesIn(line, near);
  const [first] = times;
  if (first === undefined) return null;
  if (line.slice(0, first.from).trim().length <= 2) return first;
  return times.reduce((latest, one) => (one.ms > latest.ms ? one : latest));
}

/** Shortest difference that counts, because values are printed by the minute. */
export const SAME_MINUTE_MS = MINUTE_MS;
