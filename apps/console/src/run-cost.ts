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
    unpriced: interactions.filter(isUnpriced).length,
  };
}

// A call that is under way has cost nothing yet; one that failed with nothing used has nothing to be priced.
function isUnpriced({ costUsd, state, usage }: Interaction): boolean {
  const used = usage.inputTokens + usage.outputTokens > 0;
  return costUsd === null && (used || state === 'completed' || state === 'ambiguous');
}
