import type { Interaction, RunCost } from '@casefile/contracts';

/** Adds up the interactions of a run, retries included. */
export function costOf(interactions: readonly Interaction[]): RunCost {
  const total = (read: (interaction: Interaction) => number): number =>
    interactions.reduce((sum, interaction) => sum + read(interaction), 0);
  return {
    usd: Number(total((it) => it.costUsd ?? 0).toFixed(10)),
    inputTokens: total((it) => it.usage.inputTokens),
    outputTokens: total((it) => it.usage.outputTokens),
    reasoningTokens: total((it) => it.usage.reasoningTokens),
    cachedTokens: total((it) => it.usage.cachedTokens),
    interactions: interactions.length,
    unpriced: interactions.filter((it) => it.costUsd === null).length,
  };
}
