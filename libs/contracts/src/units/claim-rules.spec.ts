import fc from 'fast-check';
import { judgeClaim, lastTryFrom, LONGEST_PAUSE_MS, UNIT_STATUSES, type UnitState } from '../index.js';
import { aClaimRequest } from '../testing/index.js';

const NOW = 1_767_607_200_000;
const request = aClaimRequest('r');
const aUnit = (over: Partial<UnitState> = {}): UnitState => ({
  status: 'due',
  stage: 'triage',
  round: 1,
  leaseUntil: null,
  resumeAt: null,
  held: false,
  crashes: 0,
  firstCrashAt: null,
  waitOver: false,
  leftAt: null,
  pausedMs: 0,
  ...over,
});
const judge = (over: Partial<UnitState>, overRequest: Partial<typeof request> = {}) =>
  judgeClaim(aUnit(over), { ...request, ...overRequest }, NOW);

describe('who may claim a unit', () => {
  it.each([
    ['what somebody works on', { status: 'running', leaseUntil: NOW + 1 }, 'leased'],
    ['what waits', { status: 'suspended', resumeAt: NOW + 1 }, 'suspended'],
    ['what is held back', { held: true, resumeAt: NOW + 1 }, 'suspended'],
    ['what waits for a person', { status: 'parked' }, 'suspended'],
    ['what is out', { status: 'quarantined' }, 'quarantined'],
    ['another stage', { stage: 'collect' }, 'moved-on'],
    ['another round', { round: 2 }, 'moved-on'],
    ['what has ended', { status: 'decided' }, 'moved-on'],
  ] as const)('refuses %s', (_what, over, reason) => {
    expect(judge(over)).toEqual({ kind: 'refuse', reason });
  });

  it('counts a lease that ran out as a crash, within the window, and quarantines at the last', () => {
    const over = { status: 'running', leaseUntil: NOW - 1 } as const;
    expect(judge(over)).toMatchObject({ kind: 'take', crashes: 1, firstCrashAt: NOW });
    const known = { ...over, crashes: 1, firstCrashAt: NOW - 1_000 };
    expect(judge(known)).toMatchObject({ kind: 'take', crashes: 2, firstCrashAt: NOW - 1_000 });
    expect(judge({ ...known, crashes: 2 })).toEqual({ kind: 'quarantine', crashes: 3 });
    const longAgo = { ...known, crashes: 2, firstCrashAt: NOW - request.crashWindowMs };
    expect(judge(longAgo)).toMatchObject({ kind: 'take', crashes: 1, firstCrashAt: NOW });
  });

  it('R14 refuses a last try to who does not want one', () => {
    expect(lastTryFrom({ maxCrashes: 3 })).toBe(2);
    expect(judge({ crashes: 2 }, { lastTry: 'refuse' })).toEqual({ kind: 'refuse', reason: 'last-try' });
    expect(judge({ crashes: 2 }, { lastTry: 'take' })).toMatchObject({ kind: 'take', crashes: 2 });
    expect(judge({ crashes: 1 }, { lastTry: 'refuse' })).toMatchObject({ kind: 'take', crashes: 1 });
  });

  it('E-13 counts as a pause what passed since its holder gave it back, or was last heard of', () => {
    expect(judge({ leftAt: NOW - 500, pausedMs: 200 })).toMatchObject({ pausedMs: 700 });
    const dead = { status: 'running', leaseUntil: NOW - 1_000 } as const;
    expect(judge(dead)).toMatchObject({ pausedMs: 1_000 + request.leaseMs });
  });

  it('takes nothing that somebody holds, and counts no pause but one that passed', () => {
    const time = fc.option(fc.integer({ min: NOW - 10 ** 9, max: NOW + 10 ** 9 }));
    const anyUnit = fc.record({
      status: fc.constantFrom(...UNIT_STATUSES),
      leaseUntil: time,
      resumeAt: time,
      held: fc.boolean(),
      crashes: fc.nat(4),
      firstCrashAt: time,
      waitOver: fc.boolean(),
      leftAt: time,
      pausedMs: fc.nat(LONGEST_PAUSE_MS),
    });
    fc.assert(
      fc.property(anyUnit, (over) => {
        const unit = aUnit(over);
        const judgement = judgeClaim(unit, request, NOW);
        if (judgement.kind !== 'take') return;
        if (unit.status === 'running') expect(unit.leaseUntil ?? NOW).toBeLessThanOrEqual(NOW);
        expect(['due', 'running', 'suspended']).toContain(unit.status);
        if (judgement.crashes > unit.crashes) expect(judgement.crashes).toBeLessThan(request.maxCrashes);
        expect(judgement.pausedMs).toBeGreaterThanOrEqual(unit.pausedMs);
        expect(judgement.pausedMs).toBeLessThanOrEqual(LONGEST_PAUSE_MS);
      }),
    );
  });
});
