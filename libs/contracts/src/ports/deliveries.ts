import type { JsonObject } from '../json.js';
import type { Lane } from '../job.js';

export interface PendingDelivery {
  deliveryId: string;
  caseId: string;
  runId: string;
  playbook: string;
  lane: Lane;
  verdict: JsonObject;
  /** The run whose verdict it replaces; left out: none. */
  replaces?: string;
}

/** Verdicts on their way out. */
export interface Deliveries {
  /** Verdicts of these playbooks that are not marked as handed out, oldest first: others are for who knows their kind. */
  pending(limit: number, olderThanMs: number, playbooks: readonly string[]): Promise<PendingDelivery[]>;
  of(runId: string): Promise<PendingDelivery | null>;
  markDelivered(deliveryIds: string[]): Promise<void>;
}
