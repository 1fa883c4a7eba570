import type { JsonObject } from '../json.js';
import type { Lane } from '../job.js';

export interface PendingDelivery {
  deliveryId: string;
  caseId: string;
  runId: string;
  playbook: string;
  lane: Lane;
  verdict: JsonObject;
  /** The run whose verdict this one replaces. Default: none. */
  replaces?: string;
}

/** Verdicts to deliver to other systems. */
export interface Deliveries {
  /**
   * Returns undelivered verdicts of these playbooks, oldest first. Verdicts of other playbooks are left to
   * the processes that run them.
   */
  pending(limit: number, olderThanMs: number, playbooks: readonly string[]): Promise<PendingDelivery[]>;
  /**
   * Returns the delivery of a run's verdict, or the corrected one with this `deliveryId`. null: the run has no
   * delivery.
   */
  of(runId: string, deliveryId?: string): Promise<PendingDelivery | null>;
  /** Returns whether no destination has the verdict of a run: a silence withheld it, or it was taken from a storm. */
  isWithheld(runId: string): Promise<boolean>;
  markDelivered(deliveryIds: string[]): Promise<void>;
}
