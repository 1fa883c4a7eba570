import type { StageNudge } from '../job.js';
import type { AlertInput } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { LeadVerdict, StormMember } from '../storms/storm-verdict.js';

/** A storm with members that wait, or that grew since it was judged. */
export interface OpenStorm {
  id: string;
  playbook: string;
  /** The alert of its lead. */
  alert: AlertInput;
  members: StormMember[];
  verdict: LeadVerdict | null;
  canUpdate: boolean;
  /** Milliseconds since the epoch, of the clock of the store. */
  now: number;
}

/** Decision about a member of a storm. */
export type MemberDecision =
  | { state: 'alone' }
  /** Milliseconds since it joined the storm. */
  | { state: 'waiting'; waitedMs: number }
  /** `body`: the verdict of the lead. */
  | { state: 'taken'; caseId: string; runId: string; body: JsonObject };

/** Storms of alerts that are judged together. */
export interface Storms {
  /** Returns storms of these kinds with something to decide, those that wait longest first. */
  open(limit: number, playbooks: readonly string[]): Promise<OpenStorm[]>;
  /**
   * Records what was decided about waiting members, and makes their runs due.
   * @param taken Members that take the verdict of this run.
   * @returns the nudges of their runs.
   */
  settle(
    taken: { verdictRunId: string; runIds: readonly string[] } | null,
    alone: readonly string[],
  ): Promise<StageNudge[]>;
  /** Returns what was decided about the run of a member; null: it is no member. */
  decisionOn(runId: string): Promise<MemberDecision | null>;
  /** Returns the members of the newest storm of a case, and the id of its lead; null: it is in none. */
  ofCase(caseId: string): Promise<{ leadCaseId: string; members: StormMember[] } | null>;
  /** Returns the members of the storm that a run leads. */
  ofRun(runId: string): Promise<{ leadCaseId: string; members: StormMember[] } | null>;
}
