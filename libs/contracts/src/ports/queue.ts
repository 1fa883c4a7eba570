import { z } from 'zod';
import type { Nudge } from '../job.js';
import type { Verdict } from '../artifacts/verdict.js';

/** A verdict on its way out; `deliveryId` is stable, receivers deduplicate by it. */
export interface VerdictMessage {
  deliveryId: string;
  caseId: string;
  runId: string;
  playbook: string;
  lane: string;
  verdict: Verdict;
  /** The run whose verdict this one replaces, where a case was judged again and the result applied; left out: none. S4-62. */
  replaces?: string;
  /** Where `CASEFILE_VERDICT_KEY` is set: `v1,` and the base64 of an HMAC-SHA256 over `deliveryId.verdict`. */
  signature?: string;
}

/** How full one queue is. */
export const queueDepthSchema = z.object({
  queue: z.string(),
  waiting: z
    .int()
    .describe('Jobs. One of live work may wake up to 20 units that became due at the same moment.'),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  oldestMs: z
    .number()
    .nullable()
    .describe('Age of the oldest waiting job in milliseconds, null when none waits.'),
});
export type QueueDepth = z.infer<typeof queueDepthSchema>;

/** The sending side of the queue: wake-ups in, verdicts out. Losing it loses no case. */
export interface Queue {
  /** Adds the wake-ups (one round trip for many); a job id that is already there is not added again. */
  nudge(nudges: Nudge[]): Promise<void>;
  /** For each nudge: is its job waiting, delayed or active? */
  alive(nudges: Nudge[]): Promise<boolean[]>;
  /** Is the sentinel that `plantSentinel` left still there? false: the store was emptied. */
  hasSentinel(): Promise<boolean>;
  plantSentinel(): Promise<void>;
  publishVerdicts(messages: VerdictMessage[]): Promise<void>;
  depths(): Promise<QueueDepth[]>;
  /** @throws when the queue store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
