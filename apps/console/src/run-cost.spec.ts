import type { Interaction } from '@casefile/contracts';
import { interactionCost } from './shown-case.js';

const call = (over: Partial<Interaction>): Interaction =>
  ({
    costUsd: null,
    state: 'completed',
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
    ...over,
  }) as Interaction;
const usage = { inputTokens: 7, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

describe('costOf', () => {
  it.each([
    ['an answer of a model without a price', call({}), 1],
    ['an answer with a price', call({ costUsd: 0 }), 0],
    ['a call that failed with nothing used', call({ state: 'failed' }), 0],
    ['a call that failed half-way', call({ state: 'failed', usage }), 1],
    ['a call under way', call({ state: 'pending' }), 0],
    ['a call that may have been paid', call({ state: 'ambiguous' }), 1],
  ])('S2-03 has, for %s, a price that is not known: %#', (_what, interaction, unpriced) => {
    expect(interactionCost([interaction])).toMatchObject({ usd: 0, interactions: 1, unpriced });
  });
});
