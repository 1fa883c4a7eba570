import { callCost, worstCaseUsd } from './pricing.js';
import type { ProviderEntry } from './provider-entry.js';
import { readProviderTable } from './provider-table.js';

const table = readProviderTable();
const usage = (over: object = {}) => ({
  inputTokens: 1_000_000,
  outputTokens: 1_000_000,
  reasoningTokens: 0,
  cachedTokens: 0,
  ...over,
});

function entry(name: string, over: Partial<ProviderEntry> = {}): ProviderEntry {
  const found = table.get(name);
  if (found === undefined) throw new Error(name);
  return { ...found, ...over };
}

describe('costOf', () => {
  it('takes the bundled list price of the right provider', () => {
    // gpt-4.1-mini: 0.40 in, 1.60 out. Another list has it for nothing.
    expect(callCost(entry('openai'), 'gpt-4.1-mini', usage())).toBeCloseTo(2, 6);
  });

  it('prices a dated version as its model', () => {
    expect(callCost(entry('openai'), 'gpt-4.1-mini-2025-04-14', usage())).toBeCloseTo(2, 6);
  });

  it('prices what an alias stands for as the alias', () => {
    expect(callCost(entry('gemini'), 'gemini-of-next-year', usage())).toBeCloseTo(9, 6);
  });

  it.each(['openai', 'gemini', 'grok', 'anthropic', 'deepseek', 'openai-responses', 'groq'])(
    'S2-02 knows what the shipped model of %s costs',
    (name) => {
      expect(callCost(entry(name), entry(name).model, usage())).toBeGreaterThan(0);
      expect(worstCaseUsd(entry(name), 1_000_000, 1_000_000)).toBeGreaterThan(0);
    },
  );

  it("prefers the table's own price, per model", () => {
    const prices = { 'gpt-4.1-mini': { input: 1, output: 1 } };
    expect(callCost(entry('openai', { prices }), 'gpt-4.1-mini', usage())).toBeCloseTo(2, 6);
    expect(callCost(entry('openai'), 'gpt-5.4-mini', usage())).toBeCloseTo(5.25, 6);
  });

  it('pays cached tokens once, at their own price, and reasoning as output', () => {
    const prices = { m: { input: 1, cached: 0.1, output: 10 } };
    const used = usage({ cachedTokens: 500_000, reasoningTokens: 900_000 });
    expect(callCost(entry('vllm', { prices }), 'm', used)).toBeCloseTo(0.5 + 0.05 + 10, 6);
  });

  it('pays what the provider wrote into its cache at its price, and keeps the worst case above it', () => {
    const prices = { m: { input: 1, cached: 0.1, written: 1.25, output: 10 } };
    const used = usage({ cachedTokens: 500_000, writtenTokens: 200_000, outputTokens: 0 });
    expect(callCost(entry('vllm', { prices }), 'm', used)).toBeCloseTo(0.3 + 0.05 + 0.25, 6);
    expect(worstCaseUsd(entry('vllm', { prices, model: 'm' }), 1_000_000, 0)).toBeCloseTo(1.25, 6);
  });

  it('is nothing for the simulator', () => {
    expect(callCost(entry('simulator'), 'casefile-simulator', usage())).toBe(0);
  });

  it.each([
    ['vllm', 'Qwen/Qwen3-8B'],
    ['openai', 'gpt-of-next-year'],
    ['openai', 'constructor'],
    ['openrouter', 'somebody/something-else'],
  ])('is null when the price is not known: %s %s', (name, model) => {
    expect(callCost(entry(name), model, usage())).toBeNull();
  });
});

describe('worstCaseUsd', () => {
  const prices = { m: { input: 1, cached: 0.1, output: 10 } };

  it('takes no cached token for granted and all of the output', () => {
    expect(worstCaseUsd(entry('vllm', { model: 'm', prices }), 1_000_000, 500_000)).toBeCloseTo(6, 9);
  });

  it('is never below what a call within its limits cost', () => {
    const own = entry('vllm', { model: 'm', prices });
    const within = usage({ inputTokens: 700, outputTokens: 90, cachedTokens: 600, reasoningTokens: 50 });
    expect(worstCaseUsd(own, 1000, 100)).toBeGreaterThanOrEqual(callCost(own, 'm', within) ?? Infinity);
  });

  it('is null when the price is not known, nothing when the model is free', () => {
    expect(worstCaseUsd(entry('vllm'), 10, 10)).toBeNull();
    expect(worstCaseUsd(entry('simulator'), 10, 10)).toBe(0);
  });
});
