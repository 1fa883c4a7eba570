import {
  CasefileError,
  noTelemetry,
  silentLogger,
  type JsonObject,
  type PatternSearch,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from '../run-tool.js';
import { toolBox } from '../tool-box.js';
import { findSimilarScams } from './find-similar-scams.js';

const pattern = {
  id: 'p',
  title: 'T',
  texts: { en: 'x' },
  category: 'c',
  scamType: 's',
  redFlags: [],
  source: 'd',
  version: 1,
};
const finding = (...similarities: number[]): PatternSearch & { asked: object[] } => {
  const asked: object[] = [];
  const matches = similarities.map((similarity) => ({
    pattern,
    language: 'en',
    similarity,
    cosine: similarity,
    words: null,
  }));
  return {
    locality: 'local',
    asked,
    search: async (query) => {
      asked.push(query);
      const found = { matches, patterns: 72, revision: 3, model: 'fake' };
      return { ...found, lookedUpBy: 'vectors', levels: { highFrom: 0.85, mediumFrom: 0.7 } };
    },
  };
};
const settle = (search: PatternSearch | undefined, args: JsonObject) => {
  const tools = toolBox([findSimilarScams({}, search)]);
  const runner = createToolRunner({ tools, clock: manualClock(), log: silentLogger, telemetry: noTelemetry });
  return runner.run(
    'find_similar_scams',
    { entityType: 'message', entityValue: 'hi', ...args },
    new AbortController().signal,
  );
};
const levels = async (search: PatternSearch, args: JsonObject = {}) => {
  const { result } = await settle(search, args);
  return (result as { matches: { level: string }[] }).matches.map((match) => match.level);
};

describe('find_similar_scams', () => {
  it('S3-11 calls 0.92 HIGH, 0.78 MEDIUM and what is below LOW, at the boundaries exactly', async () => {
    const search = finding(0.92, 0.85, 0.8499, 0.78, 0.7, 0.6999, 0);
    expect(await levels(search)).toEqual(['HIGH', 'HIGH', 'MEDIUM', 'MEDIUM', 'MEDIUM', 'LOW', 'LOW']);
  });

  it('S3-11 the levels are settings', async () => {
    expect(await levels(finding(0.92, 0.6), { highFrom: 0.95, mediumFrom: 0.5 })).toEqual([
      'MEDIUM',
      'MEDIUM',
    ]);
  });

  it('S3-14 keeps cosine and words apart, takes the levels of the way looked up, and says when it was by words alone', async () => {
    const found = {
      patterns: 72,
      revision: 3,
      model: 'encoder@1',
      levels: { highFrom: 0.3, mediumFrom: 0.2 },
      matches: [{ pattern, language: 'hi', similarity: 0.31, cosine: null, words: 0.31 }],
    };
    const search: PatternSearch = {
      locality: 'local',
      search: async ({ language }) => ({
        ...found,
        lookedUpBy: language === 'hi' ? 'words' : 'vectors and words',
      }),
    };
    const { result } = await settle(search, { language: 'hi' });
    expect(result).toMatchObject({
      matches: [{ similarity: 0.31, cosine: null, words: 0.31, level: 'HIGH' }],
      lookedUpBy: 'words',
      levels: { highFrom: 0.3, mediumFrom: 0.2 },
      note: expect.stringMatching(/by words alone.*encoder@1.*\(hi\)/),
    });
    const english = await settle(search, { language: 'en' });
    expect(english.result).not.toHaveProperty('note');
    const set = { words: { highFrom: 0.5 }, 'encoder@1': { highFrom: 0.9, mediumFrom: 0.8 } };
    expect(await levels(search, { language: 'hi', levels: set })).toEqual(['MEDIUM']);
    expect(await levels(search, { language: 'en', levels: set, highFrom: 0.1 })).toEqual(['LOW']);
  });

  it('S3-10 asks for 5 when nothing is said, and for 3 to 5', async () => {
    const search = finding();
    await settle(search, {});
    await settle(search, { matches: 3, language: 'hi' });
    expect(search.asked).toEqual([
      { text: 'hi', language: 'und', limit: 5 },
      { text: 'hi', language: 'hi', limit: 3 },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['matches', { matches: 2 }],
    ['matches', { matches: 6 }],
    ['highFrom', { highFrom: 1.5 }],
    ['mediumFrom', { mediumFrom: 0.9, highFrom: 0.8 }],
  ])('S3-10 S3-11 names %s when it is wrong', async (field, args) => {
    const settled = await settle(finding(), args);
    expect(settled).toMatchObject({ state: 'failed', reasonCode: 'invalid_arguments' });
    expect(settled.message).toContain(field);
  });

  it('S3-41 a search that fails is a gap with its reason, never an empty answer', async () => {
    const search: PatternSearch = {
      locality: 'local',
      search: () => Promise.reject(new CasefileError('network', 'down')),
    };
    expect(await settle(search, {})).toMatchObject({ state: 'failed', reasonCode: 'network', result: null });
    expect(await settle(undefined, {})).toMatchObject({ state: 'failed', reasonCode: 'not_configured' });
  });

  it('S3-10 is a job of its own where looking up leaves the process', () => {
    expect(findSimilarScams({}, { ...finding(), locality: 'remote' }).locality).toBe('remote');
    expect(findSimilarScams({}, finding()).locality).toBe('local');
  });
});
