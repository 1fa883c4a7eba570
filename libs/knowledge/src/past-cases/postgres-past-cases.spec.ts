import type { Json, PastCase } from '@casefile/contracts';
import { testRecord } from '@casefile/store/testing';
import { postgresPastCases } from './postgres-past-cases.js';

const record = testRecord();
const mask = async (value: Json) => ({
  value: JSON.parse(JSON.stringify(value).replaceAll('hunter2', '***')) as Json,
});
const base = () => postgresPastCases(record().store.database, mask);

let n = 0;
const aPastCase = (over: Partial<PastCase> = {}): PastCase => ({
  caseId: record().bench.ids.id(),
  runId: record().bench.ids.id(),
  playbook: 'kind',
  actId: 'act',
  keys: ['alert A'],
  terms: ['alert A', 'service=x', 'zone=1', 'zone=2'],
  title: 'A',
  outcome: { action: 'ticket' },
  note: null,
  agreed: true,
  confirmedAt: new Date(Date.parse('2026-01-05T10:00:00Z') + (n += 1) * 1_000).toISOString(),
  ...over,
});
const question = (over: object = {}) => ({
  playbook: 'kind',
  keys: ['alert A'],
  terms: ['alert A', 'service=x', 'zone=1', 'zone=9'],
  runId: record().bench.ids.id(),
  limit: 3,
  ...over,
});

describe('past cases', () => {
  it('S4-59 are found by a common key and at least half of the terms, the most similar and newest first', async () => {
    const store = base();
    const [half, older, newer, ...others] = [
      aPastCase({ terms: ['alert A', 'service=x'] }),
      aPastCase(),
      aPastCase(),
      aPastCase({ terms: ['alert A'] }),
      aPastCase({ playbook: 'other' }),
      aPastCase({ keys: ['alert B'] }),
    ];
    for (const one of [newer!, half!, older!, ...others]) await store.keep(one);
    const found = await store.find(question());
    expect(found.map(({ caseId, similarity }) => [caseId, similarity])).toEqual([
      [newer!.caseId, 0.75],
      [older!.caseId, 0.75],
      [half!.caseId, 0.5],
    ]);
    expect(await store.find(question({ limit: 1 }))).toHaveLength(1);
    expect(await store.find(question({ keys: ['alert C'] }))).toEqual([]);
  });

  it('S4-59 leave out the case of the run that asks', async () => {
    const { caseId, runId } = await record().bench.accept();
    await base().keep(aPastCase({ caseId, runId }));
    expect(await base().find(question({ runId }))).toEqual([]);
    expect(await base().find(question())).toHaveLength(1);
  });

  it('S4-59 are replaced by a correction, removed with their answer, and hold no secret', async () => {
    const store = base();
    const one = aPastCase({ note: 'the password is hunter2' });
    await store.keep(one);
    await store.keep({ ...one, outcome: { action: 'page' }, agreed: false });
    expect(await store.find(question())).toMatchObject([
      { outcome: { action: 'page' }, agreed: false, note: 'the password is ***' },
    ]);
    await store.forget(one.caseId);
    expect(await store.find(question())).toEqual([]);
  });
});
