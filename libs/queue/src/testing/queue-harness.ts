import type { Queue, StageNudge, VerdictMessage } from '@casefile/contracts';
import type { JobFacts } from '../bullmq-context.js';

/** A consumer of topics' jobs. */
export interface Consumer {
  /** Stops fetching. */
  pause(): Promise<void>;
  /** Closes after the running jobs have ended. */
  close(): Promise<void>;
}

export type Handle = (payload: unknown, job: JobFacts) => Promise<unknown>;

/** One queue store, and a test's access to it from outside. */
export interface QueueHarness {
  queue: Queue;
  /** Starts consuming topics: one live and one bulk job concurrently. */
  consume(handlers: Record<string, Handle>): Promise<Consumer>;
  addAlert(body: object, id?: string): Promise<void>;
  /** Removes everything from the store, like an operator's FLUSHALL or TRUNCATE. */
  empty(): Promise<void>;
  /** Calls of a handler that always throws before its job counts as failed. */
  attempts: number;
  close(): Promise<void>;
}

/** Stages and tools of the queue under test. */
export const STAGES = ['triage', 'reason'];
export const TOOLS = ['scam_db'];
/** Limit for untaken verdicts in the queue under test. */
export const UNTAKEN = 5;

export const SHARED_JOB = '5ea0c1d2-8b3f-4c1e-9d47-0a1b2c3d4e5f';

let made = 0;
export function aNudge(over: Partial<StageNudge> = {}): StageNudge {
  made += 1;
  return {
    kind: 'stage',
    stage: 'reason',
    lane: 'live',
    runId: `run-${made}`,
    unit: '',
    round: 1,
    nudge: 1,
    ...over,
  };
}

export function aVerdictMessage(deliveryId: string): VerdictMessage {
  const verdict = {
    outcome: {},
    disposition: 'review' as const,
    confidence: 0.5,
    confidenceSource: 'heuristic' as const,
    method: 'heuristic' as const,
    reasons: [],
    citations: [],
    degraded: false,
    degradedBy: [],
    degradedNote: '',
    decidedAt: '2026-01-05T10:00:00.000Z',
  };
  return { deliveryId, caseId: 'case-1', runId: 'run-1', playbook: 'scam-verdict', lane: 'live', verdict };
}

/** Returns a gate at which handlers wait until the test opens it. */
export function aGate(): { open: () => void; passed: Promise<void> } {
  let open = () => undefined as void;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}
