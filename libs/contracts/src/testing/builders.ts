import type { AlertInput } from '../artifacts/index.js';
import type { AcceptRequest } from '../ports/runs.js';
import type { ProcessState } from '../ports/processes.js';
import type { ClaimRequest } from '../ports/units.js';
import type { Ids, Clock } from '../ports/clock.js';
import type { RunSettings } from '../settings.js';

/** Returns a clock that stands still until it is advanced. */
export function manualClock(
  start = Date.parse('2026-01-05T10:00:00Z'),
): Clock & { advance(ms: number): void } {
  let now = start;
  return { now: () => now, advance: (ms) => void (now += ms) };
}

/**
 * Returns ids that count up in the form of a UUID v7, the same in every run of a test. They sort in order of
 * creation.
 */
export function countingIds(group = 0): Ids {
  let n = 0;
  const head = String(group).padStart(8, '0');
  return {
    id: () => `${head}-0000-7000-8000-${String((n += 1)).padStart(12, '0')}`,
    token: (bytes) => String((n += 1)).padStart(bytes * 2, '0'),
  };
}

export function aRunSettings(over: Partial<RunSettings> = {}): RunSettings {
  return {
    playbook: 'scam-verdict',
    playbookVersion: '1',
    strategy: 'heuristic',
    policy: 'risk-level',
    provider: 'none',
    model: 'none',
    promptIds: {},
    tools: [],
    maxRounds: 1,
    onOutage: 'fallback',
    options: {},
    ...over,
  };
}

/** Returns a process that runs the reasoner and has just reported. */
export function aProcess(over: Partial<ProcessState> = {}): ProcessState {
  const at = '2026-01-05T10:00:00.000Z';
  return {
    id: '00000000-0000-7000-8000-000000000001',
    services: ['reasoner'],
    version: '1.0.0',
    host: 'host-a',
    pid: 1,
    settingsDigest: 'settings',
    installationDigest: 'installation',
    probes: [],
    rolloutAgeMs: 0,
    startedAt: at,
    seenAt: at,
    changedAt: at,
    silentMs: 0,
    stoppedAt: null,
    ...over,
  };
}

export function anAlertInput(over: Partial<AlertInput> = {}): AlertInput & { playbook: string } {
  return {
    playbook: 'scam-verdict',
    text: 'Your parcel is held, pay at http://parcel.example',
    ...over,
  } as AlertInput & {
    playbook: string;
  };
}

export function anAcceptRequest(ids: Ids, over: Partial<AcceptRequest> = {}): AcceptRequest {
  return {
    alert: anAlertInput(),
    line: over.alert?.text ?? anAlertInput().text ?? '',
    alertId: ids.id(),
    caseId: ids.id(),
    runId: ids.id(),
    fingerprint: null,
    idempotency: null,
    settings: aRunSettings(),
    lane: 'live',
    firstStage: 'triage',
    receivedAt: '2026-01-05T10:00:00.000Z',
    holdOffMs: 86_400_000,
    ...over,
  };
}

export function aClaimRequest(runId: string, over: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    runId,
    unit: '',
    stage: 'triage',
    round: 1,
    readsAlert: false,
    reads: [],
    readsPrevious: [],
    joins: false,
    leaseMs: 6_000,
    maxCrashes: 3,
    crashWindowMs: 72 * 3_600_000,
    ...over,
  };
}
