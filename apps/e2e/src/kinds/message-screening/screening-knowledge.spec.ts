import { readFileSync } from 'node:fs';
import type { ScamPattern } from '@casefile/contracts';
import { createPatternSearch, listedPatterns, openKnowledge, seedPatterns } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { createEmbedder } from '@casefile/llm';
import { describeEmbedder } from '@casefile/llm/testing';
import { testRecord } from '@casefile/store/testing';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { knowledgePorts, systemClock } from '@casefile/runtime';
import { scamPatternSeed } from '../../testing/screening-samples.js';

describeEmbedder('the simulator', async () => {
  const simulator = await startSimulator();
  const url = `${simulator.origin}/v1`;
  return {
    embedder: createEmbedder({ url, model: 'simulated' }, systemClock),
    close: () => simulator.close(),
  };
});

describe('the starting set', () => {
  const file = new URL('../../../../../samples/scam-patterns.json', import.meta.url);
  const record = testRecord();
  const opened = (ports = silentPorts()) => openKnowledge(record().store.database, ports);
  const patterns = JSON.parse(readFileSync(file, 'utf8')) as ScamPattern[];

  it('S3-12 goes into a knowledge base that is empty, and into none that is somebody else’s', async () => {
    const { scamPatterns: store } = opened();
    await store.importPatterns([[{ ...patterns[0]!, source: 'desk' }]]);
    await seedPatterns(store, patterns);
    expect(await store.patternState()).toMatchObject({ patterns: 1 });
  });

  it('S3-12 is brought up to date where an earlier edition of it is, once, and what others changed stays', async () => {
    const { scamPatterns: store } = opened();
    const [first, second, third] = patterns as [ScamPattern, ScamPattern, ScamPattern];
    await seedPatterns(store, [first, { ...second, title: 'Earlier', version: 1 }]);
    await store.importPatterns([[{ ...first, title: 'Ours', source: 'desk' }]]);
    await seedPatterns(store, [{ ...first, version: 9 }, { ...second, version: 2 }, third]);
    const state = await store.patternState();
    expect((await store.patternsSince(0)).map(({ id, title }) => [id, title]).toSorted()).toEqual(
      [
        [first.id, 'Ours'],
        [second.id, second.title],
        [third.id, third.title],
      ].toSorted(),
    );
    await seedPatterns(store, [{ ...first, version: 9 }, { ...second, version: 2 }, third]);
    expect(await store.patternState()).toEqual(state);
  });

  it('S3-10 comes with the vectors that the offline encoder makes of it, so that none is made at the first start', async () => {
    const embedder = createEmbedder({}, systemClock);
    const knowledge = opened(knowledgePorts(embedder));
    await knowledge.seed(scamPatternSeed());
    expect(await knowledge.embedPatterns()).toBe(0);
    const kept = await knowledge.scamPatterns.vectorsSince(embedder.model, 0);
    expect(kept).toHaveLength(patterns.length);
    const some = kept.filter((_, i) => i % 12 === 0);
    const texts = some.map(({ patternId }) => patterns.find(({ id }) => id === patternId)!.texts['en']!);
    const made = await embedder.embed(texts, new AbortController().signal);
    const furthest = made.map((vector, i) =>
      Math.max(...vector.map((it, k) => Math.abs(it - some[i]!.vector[k]!))),
    );
    expect(Math.max(...furthest)).toBeLessThan(0.0005);
  });

  it('S3-10 S3-11 every pattern is the nearest to its own text, by the offline encoder and by words', async () => {
    const few = patterns.filter((_, i) => i % 12 === 0);
    const embedder = createEmbedder({}, systemClock);
    const search = createPatternSearch({ store: listedPatterns(few), embedder });
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
