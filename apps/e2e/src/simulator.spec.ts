import { startSimulator } from '@casefile/llm-simulator/simulator';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { describeProvider } from '@casefile/llm/testing';
import { systemClock } from '@casefile/runtime';

// The simulator is held to what every provider is held to: what is learnt from it is true of the wire.
describeProvider('openai-chat on the simulator', async () => {
  const simulator = await startSimulator();
  return {
    model: ({ timeoutMs = 20_000 } = {}) => {
      const table = readProviderTable({ simulator: { timeoutMs, limits: { responseBytes: 2_000_000 } } });
      const { entry, apiKey } = resolveProvider({
        table,
        name: 'simulator',
        env: {},
        baseUrl: simulator.baseUrl,
      });
      return createLanguageModel(entry, { apiKey, clock: systemClock });
    },
    behave: (...replies) => {
      const last = replies.pop();
      simulator.setScript({ replies, ...(last === undefined ? {} : { then: last }) });
    },
    requests: () => simulator.requests(),
    close: () => simulator.close(),
  };
});
