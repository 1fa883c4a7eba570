import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { endInTime, HANGING, outcomeOf, type Ended } from '../deadline-run/end-in-time.js';

describe('a research that has to end within a time, with a provider that hangs', () => {
  let database: TestDatabase;
  let ended: Ended[];
  beforeAll(async () => {
    database = await testDatabase();
    // Long enough that a busy machine reaches every role.
    ended = await endInTime({ databaseUrl: database.url, cases: 8, atOnce: 8, withinMs: 60_000, seed: 1 });
  });
  afterAll(() => database.drop());
  const of = (hung: Ended['hung']) => ended.filter((one) => one.hung === hung);
  const described = (one: Ended) => outcomeOf(one).items[0]?.description ?? '';

  it('S5-27 ends with what is there in every role: the roles themselves have ten minutes', () => {
    expect(HANGING.every((hung) => of(hung).length > 0)).toBe(true);
    for (const one of ended) expect(one.run).toMatchObject({ status: 'decided' });
  });

  it('S5-27 has an extract of the sources where there is no draft, the draft if it was not reviewed or written about', () => {
    for (const one of of('analyst')) {
      expect(described(one)).toContain('> 4月起平均電價調漲3.1%。');
      expect(described(one)).toContain('分析員沒有給出可用的答覆（逾時）。');
      expect(one.run.verdict).toMatchObject({
        disposition: 'review',
        method: 'heuristic',
        degradedBy: ['timeout'],
      });
    }
    for (const one of of('critic')) expect(described(one)).toContain('評論員沒有給出可用的答覆（逾時）。');
    for (const one of of('writer')) expect(described(one)).toContain('撰稿人沒有給出可用的答覆（逾時）。');
    for (const one of [...of('critic'), ...of('writer')]) {
      expect(described(one)).toContain('平均電價4月起調漲3.1%');
      expect(one.run.verdict).toMatchObject({ disposition: 'review', degraded: true });
      expect(outcomeOf(one)).toMatchObject({ partial: true, confidenceLevel: 'Low' });
    }
  });

  it('S5-27 marks nothing where everybody answers', () => {
    for (const one of of(null)) {
      expect(one.run.verdict).toMatchObject({ disposition: 'act', degraded: false });
      expect(outcomeOf(one).partial).toBeUndefined();
    }
  });
});
