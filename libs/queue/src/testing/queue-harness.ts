import type { Queue, StageNudge, VerdictMessage } from '@casefile/contracts';
import type { JobFacts } from '../bullmq-context.js';

/** Somebody who does a topic's jobs. */
export interface Consumer {
  /** Fetches nothing more. */
  pause(): Promise<void>;
  /** After the jobs in hand. */
  close(): Promise<void>;
}

export type Handle = (payload: unknown, job: JobFacts) => Promise<unknown>;

/** One queue store and what a test has to do to it from outside. */
export interface QueueHarness {
  queue: Queue;
  /** Starts doing the jobs of topics: one live and one bulk at a time. */
  consume(handlers: Record<string, Handle>): Promise<Consumer>;
  addAlert(body: object, id?: string): Promise<void>;
  /** Takes everything out of the store, as an operator's FLUSHALL or TRUNCATE. */
  empty(): Promise<void>;
  /** How many times a handler that always throws is called before its job counts as failed. */
  attempts: number;
  close(): Promise<void>;
}

/** Stages and tools that the queue under test has to know. */
export const STAGES = ['triage', 'reason'];
export const TOOLS = ['scam_db'];
/** Most verdicts that wait in the queue under test while nobody takes them. */
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

/** Looks until it holds. Fails when it never does, whatever the machine's speed. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    if (tries > 1_500) throw new Error('it never came to hold');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A gate that handlers wait at until the test opens it. */
export function aGate(): { open: () => void; passed: Promise<void> } {
  let open = () => undefined as void;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}
