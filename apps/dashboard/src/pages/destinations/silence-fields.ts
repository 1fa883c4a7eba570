import { readMatcher } from '@casefile/contracts/silence-matchers';
import type { NewSilence } from '../../api/silences.js';

/** Fields of the form for a silence, as they are typed. */
export interface SilenceFields {
  /** One matcher per line. */
  matchers: string;
  /** Time of the browser, as `2026-01-31T10:00`; empty: now. */
  start: string;
  /** Milliseconds. */
  forMs: string;
  reason: string;
}

export const EMPTY_SILENCE: SilenceFields = { matchers: '', start: '', forMs: '7200000', reason: '' };

/** Times for which alerts can be silenced, in milliseconds, with their words. */
export const SILENCE_TIMES: readonly (readonly [string, string])[] = [
  ['1800000', '30 minutes'],
  ['3600000', '1 hour'],
  ['7200000', '2 hours'],
  ['14400000', '4 hours'],
  ['28800000', '8 hours'],
  ['86400000', '1 day'],
  ['259200000', '3 days'],
  ['604800000', '7 days'],
];

/** Returns the silence of the fields, or the problem of a line. The server checks all other parts. */
export function silenceOfFields(
  { matchers, start, forMs, reason }: SilenceFields,
  now: number,
): { silence: NewSilence } | { problem: string } {
  const lines = matchers
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const read = lines.map((line) => ({ line, matcher: readMatcher(line) }));
  const wrong = read.find(({ matcher }) => matcher === null);
  if (wrong !== undefined)
    return { problem: `"${wrong.line}" is no matcher: expected name=value, such as service=checkout` };
  const from = start === '' ? now : Date.parse(start);
  const times = start === '' ? {} : { startsAt: new Date(from).toISOString() };
  return {
    silence: {
      matchers: read.flatMap(({ matcher }) => (matcher === null ? [] : [matcher])),
      ...times,
      endsAt: new Date(from + Number(forMs)).toISOString(),
      reason: reason.trim(),
    },
  };
}
