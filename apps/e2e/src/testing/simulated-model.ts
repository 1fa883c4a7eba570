import type { LanguageModel } from '@casefile/contracts';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import { systemClock } from '@casefile/runtime';

/** Returns the simulator as a provider, over a real wire format. */
export function simulatedModel(simulator: Simulator, protocol = 'openai-chat'): LanguageModel {
  const baseUrl = `${simulator.origin}/v1`;
  const entry = { protocol, baseUrl, model: 'any', keyVariable: null };
  const resolved = resolveProvider({
    table: readProviderTable({ simulated: entry }),
    name: 'simulated',
    env: {},
  });
  return createLanguageModel(resolved.entry, { apiKey: null, clock: systemClock });
}
