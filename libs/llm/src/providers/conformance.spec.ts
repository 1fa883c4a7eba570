import { silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createLanguageModel } from '../create-language-model.js';
import { PROTOCOLS, type Protocol } from '../provider-entry.js';
import { readProviderTable } from '../provider-table.js';
import { describeProvider, startFakeProvider, type FakeProvider } from '../testing/index.js';

function modelFor(protocol: Protocol, server: FakeProvider, over: object = {}) {
  const fake = {
    protocol,
    baseUrl: server.baseUrl,
    model: 'fake-model',
    keyVariable: 'FAKE_API_KEY',
    structuredOutput: 'json_schema',
    limits: { responseBytes: 2_000_000 },
    timeoutMs: 20_000,
    ...over,
  };
  const entry = readProviderTable({ fake }).get('fake');
  if (entry === undefined) throw new Error('no entry');
  return createLanguageModel(entry, { apiKey: 'sk-secret', clock: manualClock(), log: silentLogger });
}

for (const protocol of PROTOCOLS) {
  for (const stream of [false, true]) {
    const start = async () => {
      const server = await startFakeProvider(protocol);
      return { ...server, model: (over?: object) => modelFor(protocol, server, over) };
    };
    describeProvider(protocol, start, { stream });
  }
}
