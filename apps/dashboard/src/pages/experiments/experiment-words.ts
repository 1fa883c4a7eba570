import type { ArmFigures, ShownExperiment, ShownMean, ShownRate } from '@casefile/contracts';
import { countText, moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import type { Tone } from '../../ui/badge.js';

/** The states of an experiment in words. */
export const EXPERIMENT_STATES: Readonly<Record<ShownExperiment['state'], { tone: Tone; words: string }>> = {
  draft: { tone: 'neutral', words: 'draft' },
  running: { tone: 'green', words: 'running' },
  stopped: { tone: 'neutral', words: 'stopped' },
  promoted: { tone: 'violet', words: 'promoted' },
  stepped_back: { tone: 'red', words: 'stepped back' },
};

/** Names the mode of an experiment. */
export function modeInWords(mode: ShownExperiment['mode']): string {
  return mode === 'shadow' ? 'shadow' : 'A/B';
}

/** Formats a share of the cases: `10 %`, `0.05 %`. */
export function shareText(share: number): string {
  return `${Number((share * 100).toPrecision(4))} %`;
}

/** Formats a rate with its counts and its 95 % interval: `12 of 40 · 30 % (18–45 %)`. */
export function rateInWords({ x, n, rate, low, high }: ShownRate): string {
  if (rate === null) return 'no case';
  return `${countText(x)} of ${countText(n)} · ${percentText(rate)} (${rangeText(low, high)})`;
}

function rangeText(low: number, high: number): string {
  return `${percentText(low).slice(0, -2)}–${percentText(high)}`;
}

/** Formats a mean with its 95 % interval. */
export function meanInWords({ mean, low, high }: ShownMean, format: (value: number) => string): string {
  if (mean === null) return 'no case';
  if (low === null || high === null) return format(mean);
  return `${format(mean)} (${format(Math.max(0, low))}–${format(high)})`;
}

const tenth = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A line of the table that has one column per arm. */
export interface ArmLine {
  what: string;
  of(arm: ArmFigures): string;
}

/** Lines that every arm has, in the order of the page. */
export const ARM_LINES: readonly ArmLine[] = [
  { what: 'Decided cases', of: ({ cases }) => countText(cases) },
  { what: 'Right, by feedback', of: ({ right }) => rateInWords(right) },
  { what: 'Supported citations', of: ({ citations }) => rateInWords(citations) },
  { what: 'Needs review', of: ({ abstentions }) => rateInWords(abstentions) },
  { what: 'Without a verdict', of: ({ errors }) => rateInWords(errors) },
  { what: 'Rules or another model', of: ({ fallbacks }) => rateInWords(fallbacks) },
  { what: 'Rounds', of: ({ rounds }) => meanInWords(rounds, tenth.format) },
  { what: 'Tokens', of: ({ tokens }) => meanInWords(tokens, countText) },
  { what: 'Cost', of: ({ costUsd }) => meanInWords(costUsd, moneyText) },
  { what: 'Time', of: ({ latencyMs }) => meanInWords(latencyMs, durationText) },
];

/** Returns a line per outcome or disposition that an arm decided, the most frequent first. */
export function valueLines(arms: readonly ArmFigures[], what: 'outcomes' | 'dispositions'): ArmLine[] {
  const cases = new Map<string, number>();
  for (const arm of arms) for (const { value, x } of arm[what]) cases.set(value, (cases.get(value) ?? 0) + x);
  return [...cases]
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
    .map(([value]) => ({
      what: value,
      of: (arm) => {
        const match = arm[what].find((one) => one.value === value);
        return match === undefined ? '0' : rateInWords(match);
      },
    }));
}
