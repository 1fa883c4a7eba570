import {
  CasefileError,
  noTelemetry,
  silentLogger,
  type JsonObject,
  type PatternSearch,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from '../run-tool.js';
import { findSimilarScams } from './find-similar-scams.js';

const pattern = {
  ...{
    id: 'p',
    title: 'T',
    texts: { en: 'x' },
    category: 'c',
    scamType: 's',
    redFlags: [],
    source: 'd',
    version: 1,
  },
};
const finding = (...similarities: number[]): PatternSearch & { asked: object[] } => {
  const asked: object[] = [];
  const matches = similarities.map((similarity) => ({ pattern, language: 'en', similarity }));
  return {
    locality: 'local',
    asked,
    search: async (query) => {
      asked.push(query);
      return { matches, patterns: 72, revision: 3, model: 'fake' };
    },
  };
};
const settle = (search: PatternSearch | undefined, args: JsonObject) => {
  const tools = [findSimilarScams({}, search)];
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

  it('S3-10 is a job of its own where looking up leaves the house', () => {
    expect(findSimilarScams({}, { ...finding(), locality: 'remote' }).locality).toBe('remote');
    expect(findSimilarScams({}, finding()).locality).toBe('local');
  });
});
