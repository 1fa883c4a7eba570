import fc from 'fast-check';
import type { AcceptRequest } from '../ports/runs.js';
import { anAcceptRequest, countingIds } from '../testing/index.js';
import { planAccept } from './accept-plan.js';
import type { KnownCase } from './known-case.js';
import { firstOccurrence, meetOccurrence } from './occurrence.js';

const MINUTE = 60_000;
const START = Date.parse('2026-01-05T10:00:00Z');

/** The record of one case, updated like the store does. Alerts arrive one post after the other. */
class OneCase {
  readonly ids = countingIds();
  readonly events: string[] = [];
  known: KnownCase | null = null;
  cases = 0;
  runs = 0;

  constructor(private readonly mostRunsPerHour = 6) {}

  take(minute: number | null, resolved = false): void {
    this.post([[minute, resolved]]);
  }

  /** Alerts that are decided together. */
  post(alerts: readonly (readonly [number | null, boolean])[]): void {
    const requests = alerts.map(([minute, resolved]): AcceptRequest => {
      const startedAt = minute === null ? null : new Date(START + minute * MINUTE).toISOString();
      const { mostRunsPerHour } = this;
      const occurrence = { startedAt, resolved, mostRunsPerHour, closes: false };
      return anAcceptRequest(this.ids, { fingerprint: 'f', occurrence });
    });
    const cases = this.known === null ? [] : [this.known];
    const plan = planAccept(requests, {
      keys: [],
      alerts: [],
      cases,
      providersOut: [],
      recoveries: [],
      storms: [],
    });
    this.events.push(...plan.events.map(({ type }) => type).filter((type) => /resolved|flapping/.test(type)));
    this.runs += plan.runs.length;
    for (const change of plan.cases.values()) {
      if (change.isNew) this.cases += 1;
      this.known = {
        id: change.id,
        fingerprint: 'f',
        status: change.runId === null ? (this.known?.status ?? 'open') : 'open',
        decidedAgoMs: change.runId === null ? (this.known?.decidedAgoMs ?? null) : null,
        newestRunId: change.runId ?? this.known?.newestRunId ?? '',
        isAnswered: false,
        verdict: null,
        occurrences: change.occurrences,
      };
    }
  }

  decide(): void {
    const { known } = this;
    if (known?.occurrences)
      this.known = {
        ...known,
        status: 'decided',
        decidedAgoMs: 1,
        occurrences: { ...known.occurrences, isUnderWay: false },
      };
  }

  get isResolved(): boolean {
    return this.known?.occurrences?.isResolved === true;
  }
}

const minutes = (most: number) => fc.integer({ min: 0, max: most });

describe('occurrences of one case', () => {
  const grade = { severity: 'warning', level: 'warning', affected: 4 } as const;
  const known = { ...firstOccurrence({ startedAt: null, resolved: false, grade }), isUnderWay: false };
  const kinds = { late: {}, remark: { remark: true }, words: { joinsOnly: true } };
  const timed = { ...known, startedAt: START, coveredAt: START };
  const arrives = (kind: keyof typeof kinds, over: object, minute: number | null = null) => {
    const startedAt = minute === null ? null : new Date(START + minute * MINUTE).toISOString();
    const report = { startedAt, resolved: false, mostRunsPerHour: 6, closes: false, ...kinds[kind], ...over };
    return meetOccurrence(minute === null ? known : timed, report, false);
  };

  it.each(['remark', 'words'] as const)(
    'T-43 %s: the case keeps its text and opens no run, unless the severity or the group rises',
    (kind) => {
      const same = { severity: 'warning', level: 'firing', affected: 4 };
      const keeps = { opensRun: false, keepsText: true, isLate: false, fires: false };
      expect(arrives(kind, { grade: same })).toMatchObject(keeps);
      expect(arrives(kind, {})).toMatchObject(keeps);
      const judged = { opensRun: true, keepsText: false, isLate: false };
      const higher = { ...same, severity: 'critical' };
      expect(arrives(kind, { grade: higher })).toMatchObject({ ...judged, rises: ['severity'] });
      expect(arrives(kind, { grade: { ...same, affected: 40 } })).toMatchObject(judged);
    },
  );

  it('T-43 words of recovery with a later start are judged, a remark and a late report are not', () => {
    expect(arrives('words', {}, 5)).toMatchObject({ opensRun: true, begins: true, keepsText: false });
    expect(arrives('words', {}, 0)).toMatchObject({ opensRun: false, keepsText: true });
    expect(arrives('remark', {}, 5)).toMatchObject({ opensRun: false, keepsText: true });
    expect(arrives('late', {}, -5)).toMatchObject({ opensRun: false, isLate: true, keepsText: true });
  });

  it('S2-40 S2-45 posts of one occurrence after its start, repeated and in any company, are one case and one run', () => {
    const post = fc.array(fc.tuple(fc.constant(5), fc.boolean()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(post, fc.boolean()), { minLength: 1, maxLength: 20 }), (posts) => {
        const record = new OneCase();
        record.take(5);
        for (const [alerts, decided] of posts) {
          record.post(alerts);
          if (decided) record.decide();
        }
        expect([record.cases, record.runs]).toEqual([1, 1]);
        expect(record.isResolved).toBe(posts.at(-1)?.[0].at(-1)?.[1]);
      }),
    );
  });

  it('S2-40 S2-45 each later occurrence is one run, whatever was posted again of it and of those before', () => {
    const again = fc.array(fc.tuple(minutes(100), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(again, { minLength: 1, maxLength: 12 }), (noise) => {
        const record = new OneCase(1_000);
        noise.forEach((repeats, minute) => {
          record.take(minute);
          for (const [of, resolved] of repeats) record.take(of % (minute + 1), resolved);
          record.decide();
          for (const [of, resolved] of repeats) record.take(of % (minute + 1), resolved);
        });
        expect([record.cases, record.runs]).toEqual([1, noise.length]);
      }),
    );
  });

  it('S2-45 in any order of all posts after the first start there is one case, and never more runs than occurrences', () => {
    const post = fc.tuple(minutes(6), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(fc.array(post, { minLength: 1, maxLength: 40 }), (posts) => {
        const record = new OneCase(1_000);
        record.take(0);
        for (const [minute, resolved, decided] of posts) {
          record.take(minute, resolved);
          if (decided) record.decide();
        }
        expect(record.cases).toBe(1);
        expect(record.runs).toBeLessThanOrEqual(new Set([0, ...posts.map(([minute]) => minute)]).size);
        expect(record.runs).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('S2-40 one that comes back 50 times in an hour opens 6 runs, and 44 are noted', () => {
    const record = new OneCase();
    for (let minute = 0; minute < 50; minute += 1) {
      record.take(minute);
      record.take(minute);
      record.decide();
      record.take(minute, true);
      record.take(minute, true);
    }
    expect(record.runs).toBe(6);
    expect(record.events.filter((type) => type === 'case.flapping')).toHaveLength(44);
    expect(record.events.filter((type) => type === 'alert.resolved')).toHaveLength(50);
    expect(record.known).toMatchObject({ status: 'decided', occurrences: { flaps: 44 } });
  });

  it('S2-40 one that comes back while a run is under way joins it, and is no second one after it', () => {
    const record = new OneCase();
    record.take(0);
    record.take(0, true);
    record.take(3);
    expect([record.runs, record.isResolved]).toEqual([1, false]);
    record.decide();
    record.take(3);
    expect(record.runs).toBe(1);
  });

  it('S2-40 one whose end came before its beginning opens its run all the same', () => {
    const record = new OneCase();
    record.take(0);
    record.decide();
    record.take(3, true);
    expect([record.runs, record.isResolved]).toEqual([1, true]);
    record.take(3);
    expect(record.runs).toBe(2);
  });

  it('S2-40 a report of an earlier one changes nothing', () => {
    fc.assert(
      fc.property(minutes(9), fc.boolean(), fc.boolean(), (minute, resolved, wasOver) => {
        const record = new OneCase();
        record.take(10);
        record.decide();
        if (wasOver) record.take(10, true);
        const before = structuredClone(record.known);
        const told = record.events.length;
        record.take(minute, resolved);
        expect(record.known).toEqual(before);
        expect([record.runs, record.events.length]).toEqual([1, told]);
      }),
    );
  });

  it('S2-40 without a time it is another one only after it was over, or when the hold-off is', () => {
    const first = { startedAt: null, resolved: false, mostRunsPerHour: 6, closes: false };
    const known = { ...firstOccurrence(first), isUnderWay: false };
    expect(meetOccurrence(known, first, false).opensRun).toBe(false);
    expect(meetOccurrence(known, first, true).opensRun).toBe(true);
    expect(meetOccurrence({ ...known, isResolved: true }, first, false).opensRun).toBe(true);
  });
});
