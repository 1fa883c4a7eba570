import fc from 'fast-check';
import { anAcceptRequest, aRunSettings, countingIds } from '../testing/index.js';
import { planAccept } from './accept-plan.js';
import { firstOccurrence } from './occurrence.js';

const NOTHING = { keys: [], alerts: [], cases: [], providersOut: [], recoveries: [], storms: [] };

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

  const idempotency = { key: 'k', bodyDigest: 'd' };
  const occurrence = (startedAt: string | null, resolved: boolean) => ({
    fingerprint: 'f',
    occurrence: { startedAt, resolved, mostRunsPerHour: 6, closes: false },
  });
  const ignored = { kind: 'ignored', why: 'resolved_unknown' };

  it('R11 T-43 repeats the answer to an ignored alert under its key, also after the alert fired', () => {
    const ids = countingIds();
    const over = { ...occurrence(null, true), idempotency };
    const first = planAccept([anAcceptRequest(ids, over)], NOTHING);
    expect([first.results, first.keys]).toMatchObject([[ignored], [{ key: 'k', caseId: null }]]);
    const plan = planAccept(
      [
        anAcceptRequest(ids, occurrence(null, false)),
        anAcceptRequest(ids, over),
        anAcceptRequest(ids, { ...over, idempotency: { ...idempotency, bodyDigest: 'other' } }),
        anAcceptRequest(ids, { ...over, again: 'key' }),
      ],
      { ...NOTHING, keys: first.keys },
    );
    expect(plan.results).toMatchObject([{ kind: 'accepted' }, ignored, { kind: 'key-reused' }, ignored]);
    expect([plan.alerts.length, plan.keys]).toEqual([1, []]);
  });

  it.each([
    ['the first end', undefined, 5, [5]],
    ['a repeated one', { minute: 5, agoMs: 60_000 }, 5, []],
    ['one without a time', { minute: 5, agoMs: 60_000 }, null, []],
    ['an earlier one', { minute: 5, agoMs: 60_000 }, 3, []],
    ['a later one', { minute: 5, agoMs: 60_000 }, 8, [8]],
    ['a repeated one after more than six hours', { minute: 5, agoMs: 6 * 3_600_001 }, 5, [5]],
  ])('T-43 the end of an unknown alert is remembered from now on: %s', (_what, before, minute, written) => {
    const at = (of: number) => new Date(Date.UTC(2026, 0, 5, 10, of));
    const recoveries =
      before === undefined
        ? []
        : [{ fingerprint: 'f', startedAt: at(before.minute).getTime(), at: 0, agoMs: before.agoMs }];
    const over = occurrence(minute === null ? null : at(minute).toISOString(), true);
    const plan = planAccept([anAcceptRequest(countingIds(), over)], { ...NOTHING, recoveries });
    expect(plan.recoveries.map(({ startedAt }) => startedAt)).toEqual(
      written.map((of) => at(of).toISOString()),
    );
  });

  it('T-43 the remembered end of an alert is deleted when a case has the alert', () => {
    const ids = countingIds();
    const over = anAcceptRequest(ids, occurrence(null, true));
    const fires = anAcceptRequest(ids, occurrence(null, false));
    const together = planAccept([over, fires, over], NOTHING);
    expect([together.recoveries, together.joinedRecoveries]).toEqual([[], ['f']]);
    const recoveries = [{ fingerprint: 'f', startedAt: null, at: 0, agoMs: 1 }];
    expect(planAccept([fires], { ...NOTHING, recoveries }).joinedRecoveries).toEqual(['f']);
  });

  const decided = (over: { isAnswered?: boolean; isCorrected?: boolean } = {}) => ({
    id: 'c',
    fingerprint: 'f',
    status: 'decided' as const,
    decidedAgoMs: 9_000,
    newestRunId: 'newest',
    isAnswered: over.isAnswered === true,
    verdict: {
      runId: 'leading',
      decidedAt: '2026-01-05T10:00:00Z',
      degraded: false,
      degradedNote: '',
      degradedBy: [],
      method: 'llm',
      provider: 'x',
      isCorrected: over.isCorrected === true,
    },
  });

  it.each([
    ['nobody answered', {}, { comparedWithRun: 'leading' }],
    ['an answer was withdrawn', { isCorrected: true }, {}],
    ['a person answered', { isAnswered: true, isCorrected: true }, { outward: false, proposesTo: 'leading' }],
  ])('T-43 S4-59 the settings of a new run of a case, if %s', (_what, over, settings) => {
    const request = anAcceptRequest(countingIds(), { fingerprint: 'f', holdOffMs: 1_000 });
    const plan = planAccept([request], { ...NOTHING, cases: [decided(over)] });
    expect(plan.runs[0]?.request.settings).toEqual({ ...request.settings, ...settings });
  });

  it('T-43 the settings of the run of an escalation state it, and those of other runs do not', () => {
    const warning = { severity: 'warning', level: 'firing', affected: null } as const;
    const occurrences = {
      ...firstOccurrence({ startedAt: null, resolved: false, grade: warning }),
      isUnderWay: false,
    };
    const settingsOf = (over: object) => {
      const { fingerprint, occurrence: of } = occurrence(null, false);
      const request = anAcceptRequest(countingIds(), {
        fingerprint,
        holdOffMs: 1_000,
        occurrence: { ...of, ...over },
      });
      const { runs } = planAccept([request], { ...NOTHING, cases: [{ ...decided(), occurrences }] });
      return runs.map(({ request: { settings } }) => settings.isEscalation === true);
    };
    expect(settingsOf({ remark: true, grade: { ...warning, severity: 'critical' } })).toEqual([true]);
    expect(settingsOf({ grade: warning })).toEqual([false]);
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
        isCorrected: false,
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
