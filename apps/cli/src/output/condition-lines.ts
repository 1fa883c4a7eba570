import type { Condition } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';
import type { Colors } from './terminal.js';

/** A condition with its effect and what to do, after an empty line. */
export function conditionLines(
  { id, severity, since, text, effect, act, asOf }: Condition,
  colors: Colors,
): string[] {
  const color = severity === 'error' ? colors.red : colors.yellow;
  const started = since === null ? '' : ` (since ${localTime(since)})`;
  const read = asOf === undefined ? '' : ` (as of ${ageInWords(asOf)} ago, cannot be read now)`;
  return [
    '',
    `${color(severity)}  ${oneLine(text)}${started}${read}`,
    `  effect  ${oneLine(effect)}`,
    `  do      ${oneLine(act)}`,
    colors.dim(`  id      ${oneLine(id)}`),
  ];
}

/** Returns the age of a time, as `40 s` or `12 min`. */
function ageInWords(iso: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE');
}
