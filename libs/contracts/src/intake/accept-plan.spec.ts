import fc from 'fast-check';
import { anAcceptRequest, aRunSettings, countingIds } from '../testing/index.js';
import { planAccept } from './accept-plan.js';

const NOTHING = { keys: [], alerts: [], cases: [], providersOut: [], recoveries: [] };

describe('planAccept', () => {
  it('R11 sees in one batch what those before it did', () => {
    const ids = countingIds();
    const idempotency = { key: 'k', bodyDigest: 'd' };
    const requests = [
      anAcceptRequest(ids, { fingerprint: 'f', idempotency }),
      anAcceptRequest(ids, { fingerprint: 'f' }),
      anAcceptRequest(ids, { idempotency }),
      anAcceptRequest(ids, { idempotency: { ...idempotency, bodyDigest: 'other' } }),
    ];
    const plan = planAccept(requests, NOTHING);
    expect(plan.results.map((result) => result.kind)).toEqual([
      'accepted',
      'accepted',
      'repeated',
      'key-reused',
    ]);
    expect([...plan.cases.values()]).toMatchObject([{ isNew: true, alerts: 2, runId: requests[0]!.runId }]);
    expect(plan.runs).toHaveLength(1);
  });

  it('R11 opens one case a fingerprint, and one a request without, however they come', () => {
    const print = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null });
    fc.assert(
      fc.property(fc.array(print, { minLength: 1, maxLength: 30 }), (prints) => {
        const ids = countingIds();
        const plan = planAccept(
          prints.map((fingerprint) => anAcceptRequest(ids, { fingerprint })),
          NOTHING,
        );
        const named = new Set(prints.filter((one) => one !== null)).size;
        const cases = named + prints.filter((one) => one === null).length;
        expect(plan.cases.size).toBe(cases);
        expect(plan.runs).toHaveLength(cases);
        expect(plan.alerts).toHaveLength(prints.length);
        const counted = [...plan.cases.values()].reduce((sum, one) => sum + one.alerts, 0);
        expect(counted).toBe(prints.length);
      }),
    );
  });

  it('gives a decided case a new run only after the hold-off, and then lets the next one join it', () => {
    const ids = countingIds();
    const known = {
      id: 'c',
      fingerprint: 'f',
      status: 'decided' as const,
      decidedAgoMs: 1_000,
      newestRunId: 'r',
      isAnswered: false,
      verdict: null,
    };
    const requests = () => [1, 2].map(() => anAcceptRequest(ids, { fingerprint: 'f', holdOffMs: 999 }));
    expect(planAccept(requests(), { ...NOTHING, cases: [known] }).runs).toHaveLength(1);
    expect(
      planAccept(requests(), { ...NOTHING, cases: [{ ...known, decidedAgoMs: 999 }] }).runs,
    ).toHaveLength(0);
  });

  it.each(['model_out', 'timeout', 'unreadable', 'budget'])(
    'S4-59 a person answered a verdict degraded by %s: repeats open no run before the hold-off is over',
    (cause) => {
      const ids = countingIds();
      const verdict = {
        runId: 'r',
        decidedAt: '2026-01-05T10:00:00Z',
        degraded: true,
        degradedNote: '',
        degradedBy: [cause],
        method: 'llm',
        provider: 'x',
      };
      const known = {
        id: 'c',
        fingerprint: 'f',
        status: 'decided' as const,
        decidedAgoMs: 1_000,
        newestRunId: 'r',
        isAnswered: false,
        verdict,
      };
      const runsFor = (isAnswered: boolean, decidedAgoMs: number) => {
        const settings = aRunSettings({ provider: 'x' });
        const request = anAcceptRequest(ids, { fingerprint: 'f', holdOffMs: 5_000, settings });
        return planAccept([request], { ...NOTHING, cases: [{ ...known, isAnswered, decidedAgoMs }] }).runs
          .length;
      };
      expect([runsFor(false, 1_000), runsFor(true, 1_000), runsFor(true, 6_000)]).toEqual([1, 0, 1]);
    },
  );
});
