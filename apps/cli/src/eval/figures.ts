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
