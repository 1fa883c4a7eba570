import { t } from '../strings/text.js';

export type Zone = 'local' | 'utc';

/** IANA name of the zone of this machine, such as `Asia/Kolkata`. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration: `0 ms`, `915 ms`, `3.7 s`, `48 s`, `2 min 5 s`, `3 h 20 min`, `4 d 2 h`. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return two(ms, MINUTE, 'min', SECOND, 's');
  if (ms < DAY) return two(ms, HOUR, 'h', MINUTE, 'min');
  return two(ms, DAY, 'd', HOUR, 'h');
}

function two(ms: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % big) / small);
  const head = `${Math.floor(ms / big)} ${bigUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

/** Formats an age in one unit: `now`, `12 s`, `5 min`, `3 h`, `4 d`. A future time is `now`. */
export function agoText(ms: number): string {
  if (ms < 2 * SECOND) return t('ui.now');
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/**
 * Formats a time as `2026-11-21 06:57:53` in the chosen zone, with a mark for UTC. Returns a text that is no
 * time unchanged.
 */
export function stampText(iso: string, zone: Zone): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  if (zone === 'utc') return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${day} ${clockOf(at)}`;
}

/** Returns the time with its zone: `2026-11-29 02:56:06 (Asia/Kolkata)`. `local`: name of the zone of this machine. */
export function zonedText(iso: string, zone: Zone, local: string): string {
  const stamp = stampText(iso, zone);
  return zone === 'utc' || stamp === iso ? stamp : `${stamp} (${local})`;
}

/** `06:57:53`, in the chosen zone. */
export function clockText(iso: string, zone: Zone): string {
  const stamp = stampText(iso, zone);
  return stamp.slice(11, 19) || stamp;
}

function clockOf(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
