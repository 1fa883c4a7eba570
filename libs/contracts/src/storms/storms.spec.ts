import fc from 'fast-check';
import { playStormDay } from '../testing/storm-day.js';
import { SEVERITIES, SEVERITY_RANK } from '../transitions/grade.js';
import {
  begunStorm,
  correlationKeys,
  joinedStorm,
  keyedCorrelation,
  stormFor,
  type AlertCorrelation,
} from './correlation.js';
import { stormLines, stormSummary } from './storm-summary.js';
import {
  alertGroups,
  decideStorm,
  probableRoot,
  STORM_UPDATE_MS,
  type LeadVerdict,
  type StormMember,
} from './storm-verdict.js';

const MINUTE = 60_000;
const correlated = (over: Partial<AlertCorrelation> = {}): AlertCorrelation => ({
  group: null,
  services: ['a'],
  near: ['a'],
  dependsOn: [],
  isMapped: false,
  name: 'Down',
  severity: 'critical',
  beganAt: 0,
  windowMs: 5 * MINUTE,
  ...over,
});
const storm = (over: Partial<AlertCorrelation> = {}) => begunStorm('lead', 'incident', correlated(over));
const joins = (alert: Partial<AlertCorrelation>, of = storm(), kind = 'incident') =>
  stormFor(kind, correlated(alert), [of]) !== null;

describe('the storm that an alert joins', () => {
  it.each<[string, Partial<AlertCorrelation>, Partial<AlertCorrelation>, boolean]>([
    ['the same service', {}, {}, true],
    ['another service', { services: ['b'], near: ['b'] }, {}, false],
    ['services with a common neighbour', { services: ['c'], near: ['c', 'b'] }, { near: ['a', 'b'] }, true],
    ['the same group', { services: ['b'], near: ['b'], group: 'g' }, { group: 'g' }, true],
    [
      'the same group, but far apart in the topology',
      { services: ['b'], near: ['b'], group: 'g', isMapped: true },
      { group: 'g', isMapped: true },
      false,
    ],
    ['a higher severity', {}, { severity: 'warning' }, false],
    ['a lower severity', { severity: 'warning' }, {}, true],
    ['a start after the window', { beganAt: 5 * MINUTE + 1 }, {}, false],
    ['a start before it, within the window', { beganAt: -5 * MINUTE }, {}, true],
  ])('%s', (_title, alert, lead, expected) => {
    expect(joins(alert, storm(lead))).toBe(expected);
  });

  it('is open, recent and of the same kind', () => {
    expect(joins({}, { ...storm(), isOpen: false })).toBe(false);
    expect(joins({}, { ...storm(), seenAgoMs: 5 * MINUTE + 1 })).toBe(false);
    expect(joins({}, storm(), 'research')).toBe(false);
  });

  it('grows with each alert, up to six windows', () => {
    let grown = storm();
    let at = 0;
    while (joins({ beganAt: at + 4 * MINUTE }, grown)) {
      at += 4 * MINUTE;
      grown = joinedStorm(grown, { beganAt: at });
    }
    expect(at).toBe(28 * MINUTE);
  });

  it('never gets an alert that is more severe, whatever its services and times', () => {
    const anAlert = fc.record({
      near: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
      group: fc.constantFrom(null, 'g', 'h'),
      severity: fc.constantFrom(...SEVERITIES),
      beganAt: fc.integer({ min: -MINUTE, max: 10 * MINUTE }),
      isMapped: fc.boolean(),
    });
    fc.assert(
      fc.property(anAlert, anAlert, (one, other) => {
        if (joins(one, storm(other)))
          expect(SEVERITY_RANK[one.severity]).toBeLessThanOrEqual(SEVERITY_RANK[other.severity]);
        expect(keyedCorrelation(correlationKeys(one))).toEqual({ group: one.group, near: one.near });
      }),
    );
  });
});

const member = (id: string, over: Partial<StormMember> = {}): StormMember => ({
  caseId: id,
  runId: id,
  state: 'waiting',
  name: 'Down',
  services: ['a'],
  dependsOn: [],
  severity: 'critical',
  beganAt: 0,
  joinedAt: 0,
  ...over,
});
const verdict = (over: Partial<LeadVerdict> = {}): LeadVerdict => ({
  runId: 'lead',
  disposition: 'act',
  openedAt: 10,
  decidedAt: 20,
  isOfStorm: false,
  isOverruled: false,
  ...over,
});
const lead = member('lead', { state: 'lead' });
const decide = (members: StormMember[], over: Partial<LeadVerdict> | null, now = 30, canUpdate = true) => {
  const state = { members: [lead, ...members], verdict: over && verdict(over), canUpdate, now };
  const { take, alone, update } = decideStorm(state);
  const ids = (all: StormMember[]) => all.map(({ caseId }) => caseId);
  return { take: ids(take), alone: ids(alone), update };
};
const quiet = STORM_UPDATE_MS + 10;

describe('the verdict of a storm', () => {
  it('is awaited', () => {
    expect(decide([member('1')], null)).toEqual({ take: [], alone: [], update: null });
  });

  it('covers alerts of the name that was paged, apart from numbers, and judges others later', () => {
    // The first two arrived after the page, and the third is listed on it.
    const members = [
      member('1', { name: 'down', joinedAt: 25 }),
      member('2', { name: 'Disk 7 full', joinedAt: 25 }),
      member('3', { name: 'Slow', joinedAt: 15 }),
    ];
    expect(decide(members, {})).toEqual({ take: ['1', '3'], alone: [], update: null });
    expect(decide(members, {}, quiet)).toEqual({ take: ['1', '3'], alone: [], update: 'news' });
    // A page lists eight names.
    const many = Array.from({ length: 9 }, (_, i) =>
      member(`${i}`, { name: 'x'.repeat(i + 1), beganAt: i + 1, joinedAt: 15 }),
    );
    expect(decide(many, {}).take).toHaveLength(7);
    const seen = [
      member('2', { name: 'Disk 7 full', joinedAt: 5 }),
      member('3', { name: 'Disk 8 full', joinedAt: 50 }),
    ];
    expect(decide(seen, { isOfStorm: true })).toEqual({ take: ['2', '3'], alone: [], update: null });
  });

  it('covers with a review only what it judged, and with a dismissal only the name of the lead', () => {
    const members = [
      member('1', { joinedAt: 5 }),
      member('2', { name: 'Full', joinedAt: 5 }),
      member('3', { joinedAt: 15 }),
    ];
    expect(decide(members, { disposition: 'review' })).toEqual({ take: [], alone: [], update: null });
    const ofStorm = { isOfStorm: true } as const;
    expect(decide(members, { ...ofStorm, disposition: 'review' })).toEqual({
      take: ['1', '2'],
      alone: [],
      update: null,
    });
    expect(decide(members, { ...ofStorm, disposition: 'dismiss' })).toEqual({
      take: ['1'],
      alone: ['2'],
      update: null,
    });
  });

  it('covers nothing if it was withheld or replaced, or if no later run can judge the rest', () => {
    expect(decide([member('1')], { isOverruled: true })).toEqual({ take: [], alone: ['1'], update: null });
    const other = member('1', { name: 'Full', joinedAt: 25 });
    expect(decide([other], {}, quiet, false)).toEqual({ take: [], alone: ['1'], update: null });
  });

  it('is sent again if the storm has become much larger than its page, and otherwise only if it changes', () => {
    const taken = (joinedAt: number) =>
      Array.from({ length: 9 }, (_, i) => member(`${i}`, { state: 'taken', joinedAt }));
    expect(decide(taken(25), {}, quiet).update).toBe('news');
    expect(decide(taken(15), {}, quiet).update).toBe('changes');
    expect(decide(taken(15), { isOfStorm: true, openedAt: 16 }, quiet).update).toBeNull();
    expect(decide(taken(25).slice(5), {}, quiet).update).toBeNull();
  });

  it('leaves no waiting member without a decision once nothing more follows', () => {
    const aMember = fc.record({
      state: fc.constantFrom<StormMember['state'][]>('waiting', 'taken', 'alone'),
      name: fc.constantFrom('Down', 'Full', 'Slow'),
      joinedAt: fc.integer({ min: 0, max: 100 }),
    });
    const aVerdict = fc.record({
      disposition: fc.constantFrom<LeadVerdict['disposition'][]>('act', 'review', 'dismiss'),
      isOfStorm: fc.boolean(),
      isOverruled: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(aMember, { maxLength: 8 }), aVerdict, fc.boolean(), (some, of, canUpdate) => {
        const members = some.map((one, i) => member(`${i}`, one));
        const { take, alone, update } = decide(members, of, quiet, canUpdate);
        const waiting = members.filter(({ state }) => state === 'waiting').map(({ caseId }) => caseId);
        expect(waiting).toEqual(expect.arrayContaining([...take, ...alone]));
        expect(new Set([...take, ...alone]).size).toBe(take.length + alone.length);
        if (update === null) expect(take.length + alone.length).toBe(waiting.length);
      }),
    );
  });
});

describe('the probable root of a storm', () => {
  const of = (service: string, dependsOn: string[], beganAt = 0) =>
    member(service, { services: [service], dependsOn, beganAt });

  it('is the service that most others depend on, through others too; in a cycle the first', () => {
    expect(probableRoot([of('web', ['api']), of('api', ['db']), of('db', [])])).toEqual({
      service: 'db',
      dependents: 2,
    });
    expect(probableRoot([of('x', ['y'], 5), of('y', ['x'], 3)])).toEqual({ service: 'y', dependents: 1 });
  });

  it('is the service whose alert began first, and unknown if nothing distinguishes them', () => {
    expect(probableRoot([of('x', [], 5), of('y', [], 3)])).toEqual({ service: 'y', dependents: 0 });
    expect(probableRoot([of('x', []), of('y', [])])).toBeNull();
    expect(probableRoot([member('1', { services: [] })])).toBeNull();
  });
});

describe('the summary of a storm', () => {
  it('lists each case once, and has bounds', () => {
    expect(stormSummary('lead', [lead])).toBeNull();
    const many = Array.from({ length: 300 }, (_, i) =>
      member(`${i}`, { name: `Down ${i}`, services: [`s${i}`], beganAt: 1_000 + i }),
    );
    const summary = stormSummary('lead', [lead, ...many, lead])!;
    expect(summary).toMatchObject({ cases: 301, groups: { length: 100 }, alerts: { length: 100 } });
    expect(summary.alerts.filter(({ caseId }) => caseId === 'lead')).toHaveLength(1);
    expect(stormLines(summary)).toEqual([
      '301 alerts began from 1970-01-01 00:00:00 to 00:00:01 UTC.',
      'The first alert is of the service a.',
      'a: Down, critical, 1 alert since 00:00:00',
      ...Array.from({ length: 7 }, (_, i) => `s${i}: Down ${i}, critical, 1 alert since 00:00:01`),
      'and alerts with more names',
    ]);
  });
});

describe('the groups of a storm', () => {
  it('have one name, apart from numbers, the same services, the highest severity and the first start', () => {
    const members = [
      member('1', { name: 'Host 1 down', severity: 'warning', beganAt: 5 }),
      member('2', { name: 'Host 2 down', beganAt: 3 }),
      member('2', { name: 'Host 2 down', beganAt: 7 }),
      member('3', { name: 'Host 3 down', services: ['b'] }),
    ];
    expect(alertGroups(members)).toEqual([
      { name: 'Host 3 down', services: ['b'], severity: 'critical', cases: 1, firstAt: 0 },
      { name: 'Host 1 down', services: ['a'], severity: 'critical', cases: 2, firstAt: 5 },
    ]);
  });
});

describe('a day of storms', () => {
  const days = [1, 2, 3].map((seed) => playStormDay(seed));

  it('misses no page, joins nothing wrongly, and pages each hidden alert', () => {
    for (const day of days)
      expect(day).toMatchObject({ missed: [], wronglyJoined: 0, hidden: { alerts: 20, paged: 20 } });
  });

  it('needs a small share of the pages and judgements', () => {
    for (const { pages, pagesWithout, judged, alerts, mostPagesOfACause } of days) {
      expect(pages).toBeLessThan(pagesWithout / 3);
      expect(judged).toBeLessThan(alerts / 2);
      expect(mostPagesOfACause).toBeLessThanOrEqual(3);
    }
  });

  it('notices rules that are too wide or too generous', () => {
    const wide = playStormDay(1, {
      stormFor: (kind, alert, storms) =>
        stormFor(
          kind,
          { ...alert, near: ['x'] },
          [...storms].map((one) => ({ ...one, near: ['x'] })),
        ),
      decideStorm,
    });
    expect(wide.wronglyJoined).toBeGreaterThan(0);
    const silent = playStormDay(1, {
      stormFor,
      decideStorm: (state) => ({ ...decideStorm(state), take: [], update: null }),
    });
    expect(silent.missed.length).toBeGreaterThan(0);
  });
});
