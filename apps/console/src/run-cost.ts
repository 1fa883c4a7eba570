import type { Interaction, ModelUsage } from '@casefile/contracts';

/** What the model calls of a run came to. */
export interface Cost extends ModelUsage {
  /** Sum of what is known, in US dollars. */
  usd: number;
  interactions: number;
  /** Interactions whose price is not known: `usd` is without them. */
  unpriced: number;
}

/** Adds up the interactions of a run, retries included. */
export function costOf(interactions: readonly Interaction[]): Cost {
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
