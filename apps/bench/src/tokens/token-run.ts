import type { CaseDocument, LanguageModel, ModelUsage } from '@casefile/contracts';
import { readSamples } from '@casefile/cli/up/samples';
import { simulatedModel } from '@casefile/e2e/testing/simulated-model';
import { recordSamples } from '@casefile/e2e/testing/recorded-samples';
import { inlineWorld } from '@casefile/e2e/testing/world';
import { callCost, type ProviderEntry } from '@casefile/llm';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { CHARACTERS_A_TOKEN } from '@casefile/llm-simulator/usage-of';
import { PrefixCache, prefixText } from './prefix-cache.js';

/** Tokens of one kind of prompt of one kind of case. */
export interface PromptTokens {
  kind: string;
  /** The prompt's id without its version. */
  prompt: string;
  calls: number;
  input: number;
  /** Part of the input that the provider has read before. */
  cached: number;
  output: number;
}

/** Judges all samples with the simulated model, and returns their tokens by kind of case and prompt. */
export async function countTokens(): Promise<{ cases: Map<string, number>; prompts: PromptTokens[] }> {
  const simulator = await startSimulator();
  const cache = new PrefixCache();
  const prompts = new Map<string, PromptTokens>();
  const answers = simulatedModel(simulator);
  let kind = '';
  const model: LanguageModel = {
    provider: answers.provider,
    model: answers.model,
    complete: async (request, call) => {
      const cached = cache.read(request);
      const response = await answers.complete(request, call);
      const [prompt = ''] = request.promptId.split('@');
      const key = `${kind} ${prompt}`;
      const sum = prompts.get(key) ?? { kind, prompt, calls: 0, input: 0, cached: 0, output: 0 };
      sum.calls += 1;
      sum.input += prefixText(request).length / CHARACTERS_A_TOKEN;
      sum.cached += cached;
      sum.output += response.usage.outputTokens;
      prompts.set(key, sum);
      return response;
    },
  };
  const world = await inlineWorld(model);
  const cases = new Map<string, number>();
  try {
    const { alerts } = await readSamples();
    for (const name of new Set(alerts.map(({ playbook }) => String(playbook)))) {
      kind = name;
      const judged: CaseDocument[] = await recordSamples(world, 1, ({ playbook }) => playbook === name);
      cases.set(name, judged.length);
    }
  } finally {
    await world.close();
    await simulator.close();
  }
  return { cases, prompts: [...prompts.values()] };
}

/** Returns the price in US dollars of tokens at an entry's list price, with and without its prompt cache. */
export function pricesOf(
  entry: ProviderEntry,
  { input, cached, output }: Pick<PromptTokens, 'input' | 'cached' | 'output'>,
): { input: number; inputWithoutCache: number; output: number } {
  const priced = (usage: Partial<ModelUsage>) =>
    callCost(entry, entry.model, {
      inputTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      cachedTokens: 0,
      ...usage,
    }) ?? Number.NaN;
  return {
    input: priced({ inputTokens: input, cachedTokens: cached }),
    inputWithoutCache: priced({ inputTokens: input }),
    output: priced({ outputTokens: output }),
  };
}
