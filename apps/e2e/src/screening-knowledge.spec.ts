import { readFileSync } from 'node:fs';
import { seedPatterns } from '@casefile/cli/open-store';
import type { ScamPattern } from '@casefile/contracts';
import { createEmbedder } from '@casefile/llm';
import { describeEmbedder } from '@casefile/llm/testing';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { systemClock } from '@casefile/runtime';
import { createMemoryStore, createPatternSearch } from '@casefile/store';

describeEmbedder('the simulator', async () => {
  const simulator = await startSimulator();
  const url = `${simulator.origin}/v1`;
  return {
    embedder: createEmbedder({ url, model: 'simulated' }, systemClock),
    close: () => simulator.close(),
  };
});

describe('the starting set', () => {
  const file = new URL('../../../samples/scam-patterns.json', import.meta.url);
  const patterns = JSON.parse(readFileSync(file, 'utf8')) as ScamPattern[];

  it('S3-12 goes into a knowledge base that is empty, and into no other', async () => {
    const store = createMemoryStore({ clock: systemClock });
    await seedPatterns(store, patterns.slice(0, 2));
    await seedPatterns(store, patterns);
    expect(await store.patternState()).toMatchObject({ patterns: 2 });
  });

  it('S3-10 S3-11 every pattern is the nearest to its own text, by the offline encoder and by words', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const few = patterns.filter((_, i) => i % 12 === 0);
    await store.importPatterns(few);
    const search = createPatternSearch({ store, embedder: createEmbedder({}, systemClock) });
    const signal = new AbortController().signal;
    for (const { id, texts } of few)
      for (const [language, text] of Object.entries(texts)) {
        const { matches } = await search.search({ text, language, limit: 3 }, signal);
        expect(matches[0]!.pattern.id).toBe(id);
        // HIGH at least: a text is as like itself as can be.
        expect(matches[0]!.similarity).toBeGreaterThanOrEqual(0.85);
      }
  });
});
