import { z } from 'zod';
import type { Nudge } from '../job.js';
import type { Verdict } from '../artifacts/verdict.js';

/** A verdict to deliver. `deliveryId` is stable, so that receivers can deduplicate. */
export interface VerdictMessage {
  deliveryId: string;
  caseId: string;
  runId: string;
  playbook: string;
  lane: string;
  verdict: Verdict;
  /**
   * The run whose verdict this one replaces, if a case was judged again and the result applied. Default:
   * none.
   */
  replaces?: string;
  /** The silence because of which no destination gets it. Default: none. */
  silencedBy?: string;
  /**
   * Present if `CASEFILE_VERDICT_KEY` is set: `v1,` and the base64 of an HMAC-SHA256 over
   * `deliveryId.verdict`.
   */
  signature?: string;
}

/** Depth of one queue. */
export const queueDepthSchema = z.object({
  queue: z.string(),
  waiting: z
    .int()
    .describe('Jobs. One job of the live lane may wake up to 20 units that became due at the same time.'),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  oldestMs: z
    .number()
    .nullable()
    .describe('Age of the oldest waiting job in milliseconds, null when none waits.'),
});
export type QueueDepth = z.infer<typeof queueDepthSchema>;

/**
 * The sending side of the queue: wake-up jobs for workers, and verdicts for receivers. Losing the queue loses
 * no case.
 */
export interface Queue {
  /** Adds the wake-up jobs (one round trip for many). A job id that is already queued is not added again. */
  nudge(nudges: Nudge[]): Promise<void>;
  /** Returns per nudge whether its job is waiting, delayed or active. */
  alive(nudges: Nudge[]): Promise<boolean[]>;
  /** Returns whether the sentinel of `plantSentinel` still exists. false: the queue store was emptied. */
  hasSentinel(): Promise<boolean>;
  plantSentinel(): Promise<void>;
  publishVerdicts(messages: VerdictMessage[]): Promise<void>;
  /**
   * Removes jobs of cases that are erased: verdicts by their `deliveryId`, and alerts by the id of their job. Jobs
   * that a consumer works on are left to it. Unknown ids are ignored.
   */
  remove(ids: { verdicts: readonly string[]; alerts: readonly string[] }): Promise<void>;
  /**
   * Returns whether the caller is the first of all processes that claims this name within `forMs`. true also if the
   * queue store is a database.
   * @throws CasefileError `queue_unavailable`.
   */
  claim(name: string, forMs: number): Promise<boolean>;
  depths(): Promise<QueueDepth[]>;
  /** Returns why this form of queue store can never work, with the remedy; null: it is not known to be wrong. */
  unusable(): string | null;
  /** Returns the policy by which the store deletes keys when its memory is full; null: it deletes none. */
  evictionPolicy(): string | null;
  /** @throws if the queue store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
