import { silentLogger } from '@casefile/contracts';
import type { Seed } from '@casefile/knowledge';
import type { Adapters } from './platform.js';
import { importStartingSet } from './starting-set.js';

const EMPTY = { name: 'words', text: 'There are no words', effect: 'None.', act: 'Import some.' };

function setUp(seed: (set: Seed) => Promise<void>) {
  const errors: string[] = [];
  const log = { ...silentLogger, error: (_: object, text: string) => void errors.push(text) };
  const knowledge = { seed, emptyBases: async () => [EMPTY] } as unknown as Adapters['knowledge'];
  return { errors, start: () => importStartingSet({ knowledge, log }) };
}

describe('the starting set', () => {
  it('T-20 is given to the knowledge bases with its patterns and their vectors', async () => {
    const seeds: Seed[] = [];
    const { start, errors } = setUp(async (set) => void seeds.push(set));
    await start();
    expect(errors).toEqual([]);
    expect(seeds).toHaveLength(1);
    expect((JSON.parse(seeds[0]?.scamPatterns?.text ?? '[]') as unknown[]).length).toBeGreaterThan(100);
    expect(seeds[0]?.scamPatternVectors?.name).toBe('scam-patterns.vectors.json');
  });

  it('T-20 does not keep a service from starting, and its log reports the empty base', async () => {
    const { start, errors } = setUp(async () => {
      throw new Error('the disk is full');
    });
    await start();
    expect(errors).toEqual(['the starting set was not imported: the disk is full. There are no words.']);
  });
});
