import type { ClaimRequest } from '../ports/units.js';
import type { UnitStatus } from '../run-status.js';

/** Maximum counted pause: longer than any deadline, and small enough for an integer column. */
export const LONGEST_PAUSE_MS = 24 * 3_600_000;

/**
 * The fields of a unit's row that decide a claim. Times are milliseconds since the epoch, by the store's own
 * clock.
 */
export interface UnitState {
  status: UnitStatus;
  stage: string;
  round: number;
  leaseUntil: number | null;
  resumeAt: number | null;
  held: boolean;
  crashes: number;
  firstCrashAt: number | null;
  waitOver: boolean;
  /** Time at which its worker released it with the step unfinished. */
  leftAt: number | null;
  /** Time without a worker on its step so far. */
  pausedMs: number;
}

export type Judgement =
  | { kind: 'take'; crashes: number; firstCrashAt: number | null; waitOver: boolean; pausedMs: number }
  | { kind: 'refuse'; reason: 'leased' | 'moved-on' | 'quarantined' | 'suspended' | 'last-try' }
  /** One crash too many. */
  | { kind: 'quarantine'; crashes: number };

/**
 * Returns the number of crashes from which a claim is the last try: the next crash would quarantine the unit.
 */
export function lastTryFrom({ maxCrashes }: Pick<ClaimRequest, 'maxCrashes'>): number {
  return Math.max(1, maxCrashes - 1);
}

/** Decides a claim. An expired lease is a crash of the step. A unit whose wait has ended is due. */
export function judgeClaim(unit: UnitState, request: ClaimRequest, now: number): Judgement {
  const judgement = judgeState(unit, request, now);
  const isLastTry = judgement.kind === 'take' && judgement.crashes >= lastTryFrom(request);
  return isLastTry && request.lastTry === 'refuse' ? { kind: 'refuse', reason: 'last-try' } : judgement;
}

function judgeState(unit: UnitState, request: ClaimRequest, now: number): Judgement {
  if (unit.status === 'quarantined') return { kind: 'refuse', reason: 'quarantined' };
  if (unit.stage !== request.stage || unit.round !== request.round)
    return { kind: 'refuse', reason: 'moved-on' };
  const isOver = (at: number | null): boolean => at === null || at <= now;
  const counted = {
    crashes: unit.crashes,
    firstCrashAt: unit.firstCrashAt,
    pausedMs: pausedTill(unit, now, unit.leftAt),
  };
  switch (unit.status) {
    case 'due':
      if (unit.held && !isOver(unit.resumeAt)) return { kind: 'refuse', reason: 'suspended' };
      return { kind: 'take', ...counted, waitOver: unit.waitOver };
    case 'suspended':
      if (!isOver(unit.resumeAt)) return { kind: 'refuse', reason: 'suspended' };
      return { kind: 'take', ...counted, waitOver: true };
    case 'running':
      return isOver(unit.leaseUntil) ? afterCrash(unit, request, now) : { kind: 'refuse', reason: 'leased' };
    case 'parked':
      return { kind: 'refuse', reason: 'suspended' };
    default:
      return { kind: 'refuse', reason: 'moved-on' };
  }
}

function afterCrash(unit: UnitState, request: ClaimRequest, now: number): Judgement {
  const counts = unit.firstCrashAt !== null && unit.firstCrashAt > now - request.crashWindowMs;
  const crashes = counts ? unit.crashes + 1 : 1;
  if (crashes >= request.maxCrashes) return { kind: 'quarantine', crashes };
  // Its worker was last known to be alive when it took or renewed the lease. It may have lived for another
  // third of the lease.
  const heardAt = unit.leaseUntil === null ? null : unit.leaseUntil - request.leaseMs;
  const { waitOver } = unit;
  const pausedMs = pausedTill(unit, now, heardAt);
  return { kind: 'take', crashes, firstCrashAt: counts ? unit.firstCrashAt : now, waitOver, pausedMs };
}

function pausedTill({ pausedMs }: UnitState, now: number, since: number | null): number {
  const gap = since === null ? 0 : Math.max(0, Math.floor(now - since));
  return Math.min(LONGEST_PAUSE_MS, pausedMs + gap);
}

/** Returns the message for a unit that was quarantined for its crashes. */
export function crashMessage(
  { stage, round, playbook }: Pick<UnitState, 'stage' | 'round'> & { playbook: string },
  crashes: number,
): string {
  return `kind ${playbook}, stage ${stage}: its worker died ${crashes} times in round ${round}`;
}
