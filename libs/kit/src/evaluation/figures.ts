import type { Interaction } from '@casefile/contracts';
import { wilson } from '@casefile/pipeline';

/** Number of labels below which a figure is shown with a remark that it rests on too few labels. */
export const FEW_LABELS = 20;

/** Returns the value below which the given part of the values lies; null: there are no values. */
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

/** Returns part divided by whole, 0 to 1; null if the whole is 0. */
export function share(part: number, of: number): number | null {
  return of === 0 ? null : part / of;
}

/** A share of counted things with its interval. */
export interface Interval {
  part: number;
  of: number;
  /** 0 to 1; null if nothing was counted. The bounds are then null as well. */
  share: number | null;
  from: number | null;
  to: number | null;
}

/**
 * Returns a share with its 95 % interval after Wilson (1927), which also holds for few labels and shares near
 * 0 and 1.
 */
export function wilson95(part: number, of: number): Interval {
  if (of === 0) return { part, of, share: null, from: null, to: null };
  const { low, high } = wilson({ x: part, n: of });
  return { part, of, share: part / of, from: low, to: high };
}

export function mean(values: readonly number[]): number | null {
  return share(sum(values), values.length);
}

export function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** Cost of model calls. */
export interface Spending {
  /** Cost of the calls with a known price, in US dollars. */
  costUsd: number;
  /** Number of calls without a known price. */
  unpriced: number;
  calls: number;
  /** Input and output tokens. */
  tokens: number;
  /** Time in the model, summed over all calls. */
  modelMs: number;
}

export function callSpending(
  calls: readonly Pick<Interaction, 'costUsd' | 'usage' | 'latencyMs'>[],
): Spending {
  return {
    costUsd: sum(calls.map((call) => call.costUsd)),
    unpriced: calls.filter((call) => call.costUsd === null).length,
    calls: calls.length,
    tokens: sum(calls.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    modelMs: sum(calls.map((call) => call.latencyMs)),
  };
}
