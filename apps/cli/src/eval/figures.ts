import type { Interaction } from '@casefile/contracts';

/** Fewer labels than this say nothing: the figure is given, and that it is of too few. */
export const FEW_LABELS = 20;

/** The value below which the given part of the values is; null of none. */
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

/** A part of a whole, 0 to 1; null where the whole is nothing. */
export function share(part: number, of: number): number | null {
  return of === 0 ? null : part / of;
}

/** A share of counted things with its interval. */
export interface Interval {
  part: number;
  of: number;
  /** 0 to 1; null where nothing was counted, as are the bounds. */
  share: number | null;
  from: number | null;
  to: number | null;
}

/** Of the normal distribution: two-sided, 95 %. */
const Z95 = 1.959964;

/** A share with its 95 % interval after Wilson (1927), which holds for few labels and for shares near 0 and 1 as well. */
export function wilson95(part: number, of: number): Interval {
  if (of === 0) return { part, of, share: null, from: null, to: null };
  const observed = part / of;
  const spread = 1 + Z95 ** 2 / of;
  const middle = (observed + Z95 ** 2 / (2 * of)) / spread;
  const half = (Z95 / spread) * Math.sqrt((observed * (1 - observed)) / of + Z95 ** 2 / (4 * of ** 2));
  // The formula is exact at both ends; floating point is not.
  const from = part === 0 ? 0 : middle - half;
  return { part, of, share: observed, from, to: part === of ? 1 : middle + half };
}

export function mean(values: readonly number[]): number | null {
  return share(sum(values), values.length);
}

export function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** What model calls came to. */
export interface Spending {
  /** Of those calls whose price is known, in US dollars. */
  costUsd: number;
  /** Calls whose price is not known. */
  unpriced: number;
  calls: number;
  /** Input and output. */
  tokens: number;
  /** In the model, all calls together. */
  modelMs: number;
}

export function spendingOf(calls: readonly Pick<Interaction, 'costUsd' | 'usage' | 'latencyMs'>[]): Spending {
  return {
    costUsd: sum(calls.map((call) => call.costUsd)),
    unpriced: calls.filter((call) => call.costUsd === null).length,
    calls: calls.length,
    tokens: sum(calls.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    modelMs: sum(calls.map((call) => call.latencyMs)),
  };
}
