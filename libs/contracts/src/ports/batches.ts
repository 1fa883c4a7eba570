import type { Alert } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { RunStatus } from '../run-status.js';
import type { RunSettings } from '../settings.js';
import type { VerdictEffect } from './engagement-sessions.js';
import type { ProposalPlan, VerdictChange } from '../reviews/proposed-verdict.js';
import type { Batch, BatchAct, BatchAsk, BatchChoice, BatchMembers } from '../ops-api-batches.js';

/** The data that a rerun of a run needs. */
export interface RunBase {
  runId: string;
  caseId: string;
  playbook: string;
  status: RunStatus;
  settings: RunSettings;
  alert: Alert;
  /** Time at which content of the run was erased; null: it was not. */
  erasedAt: string | null;
}

/** Cases selected for a batch, with the estimated cost of one run per case. */
export interface BatchSelection {
  members: { caseId: string; baseRunId: string }[];
  estimateUsd: number;
}

/** A case of a batch whose run is to be opened. */
export interface WaitingMember {
  position: number;
  caseId: string;
  baseRunId: string;
  runId: string;
  /** Id of a second run of the same case. null: none. */
  twinRunId: string | null;
}

/** A case of a batch with a new verdict, which was not compared with the earlier one. */
export interface MemberToCompare {
  position: number;
  playbook: string;
  /** Verdict of the run that was repeated; null: it ended without one. */
  earlier: JsonObject | null;
  verdict: JsonObject;
}

/** A case of a batch whose verdict is to be applied. */
export interface MemberToApply {
  position: number;
  caseId: string;
  runId: string;
  playbook: string;
  verdict: JsonObject;
}

/** A verdict to apply, with its effects besides its delivery. */
export interface AppliedMember {
  position: number;
  effects: readonly VerdictEffect[];
}

/** The effect of applying the verdict of a case now. */
export type PreviewedMember = MemberToApply & Pick<ProposalPlan, 'result' | 'sends'>;

/** A batch that is running or being applied. */
export interface BatchAtWork {
  id: string;
  state: 'running' | 'applying';
  ask: BatchAsk;
  waiting: number;
  open: number;
  /** Open runs that wait for the budget of the batch. */
  held: number;
  done: number;
  costUsd: number;
  /** Its budget now; null: none. */
  budgetUsd: number | null;
  /** Expected cost of one more run. */
  expectedUsd: number;
}

/**
 * Batches of cases that are judged again. Every write is idempotent, because a process may die after a write
 * and before it has noted the write.
 */
export interface Batches {
  /** Returns the run with this id. Without `runId`: the run that the case shows. null: there is none. */
  runBase(of: { caseId: string; runId?: string }): Promise<RunBase | null>;
  /**
   * Returns the cases that match the request and whose shown run has ended, oldest first.
   * @throws InvalidInput for an invalid time.
   */
  pick(ask: BatchAsk): Promise<BatchSelection>;
  /** @returns false if `mostOpen` batches are open already. Nothing is written then. */
  create(batch: {
    id: string;
    ask: BatchAsk;
    estimateUsd: number;
    members: (BatchSelection['members'][number] & { runId: string; twinRunId?: string })[];
    /** Default: unlimited. */
    mostOpen?: number;
  }): Promise<boolean>;
  list(limit: number): Promise<Batch[]>;
  get(id: string): Promise<Batch | null>;
  members(id: string, limit: number, offset: number): Promise<BatchMembers>;
  /**
   * Returns the batches that are running or being applied, oldest first, after recording the results of their
   * runs.
   */
  atWork(): Promise<BatchAtWork[]>;
  waitingMembers(id: string, limit: number): Promise<WaitingMember[]>;
  /** Marks these members as opened, and those in `failed` as failed with the reason. */
  markOpened(id: string, positions: number[], failed: { position: number; message: string }[]): Promise<void>;
  /** Returns the current budget in US dollars. null: no limit, or no such batch. */
  budget(id: string): Promise<number | null>;
  /**
   * Pauses a running batch automatically, with a reason. Does nothing if its budget is no longer the one that was read:
   * a person has raised it since.
   */
  hold(batch: Pick<BatchAtWork, 'id' | 'budgetUsd'>, reason: string): Promise<void>;
  /** Returns new verdicts that are not compared with the earlier ones. A batch is done when all are compared. */
  membersToCompare(id: string, limit: number): Promise<MemberToCompare[]>;
  /** Records how new verdicts differ from the earlier ones. */
  markCompared(id: string, changes: readonly { position: number; change: VerdictChange }[]): Promise<void>;
  /**
   * Resumes, pauses, applies or discards a batch. Resuming wakes the runs that waited for the budget.
   * Discarding stops those runs. Cases that are not chosen keep their verdicts.
   * @returns null if there is no such batch; false if its state does not allow the action.
   * @throws InvalidInput if `choice` names a case that has no new verdict in the batch.
   */
  act(
    id: string,
    act: BatchAct,
    details?: { budgetUsd?: number; choice?: BatchChoice },
  ): Promise<boolean | null>;
  /**
   * Returns what applying would do now with chosen cases that have a new verdict.
   * @param after Position after which the page begins.
   */
  preview(id: string, choice: BatchChoice, after: number, limit: number): Promise<PreviewedMember[]>;
  membersToApply(id: string, limit: number): Promise<MemberToApply[]>;
  /**
   * Makes the new verdicts the ones that their cases show and applies their effects, according to `planProposal`. A
   * changed verdict is delivered with the id of the run that it replaces. An engagement session that the replaced
   * verdict of the same alert opened continues with the new verdict. A person's answer that is recorded at the same
   * time is either complete before, and then kept, or is an answer to the new verdict. The batch becomes applied
   * when no member is left to apply.
   */
  applyMembers(id: string, members: readonly AppliedMember[]): Promise<void>;
  /** Counts degraded verdicts since this time that their cases still show, and that no person answered. */
  degradedSince(since: string): Promise<number>;
}

/** Progress of a batch, with the time it took. */
export interface BatchWork {
  /** Milliseconds of work, without pauses. */
  workedMs: number;
  /** Number of cases that ended recently. `recentS`: the seconds they took, or null if none has ended. */
  recent: number;
  recentS: number | null;
}

/**
 * Returns the rate of a batch and its remaining time. The remaining time uses the recent rate if there is
 * one, else the average rate.
 */
export function batchPace(
  { state, total, done }: Pick<Batch, 'state' | 'total' | 'done'>,
  { workedMs, recent, recentS }: BatchWork,
): Pick<Batch, 'ratePerSecond' | 'etaSeconds'> {
  const ratePerSecond = done === 0 || workedMs <= 0 ? null : (done / workedMs) * 1000;
  const pace = recent > 1 && recentS !== null && recentS > 0 ? (recent - 1) / recentS : ratePerSecond;
  const remaining = total - done;
  if (remaining === 0) return { ratePerSecond, etaSeconds: 0 };
  return {
    ratePerSecond,
    etaSeconds: pace === null || state !== 'running' ? null : Math.ceil(remaining / pace),
  };
}

/**
 * Returns the expected cost of one more run in US dollars: the average so far, else the estimate per case.
 */
export function batchExpectedUsd({
  total,
  done,
  costUsd,
  estimateUsd,
}: Pick<Batch, 'total' | 'done' | 'costUsd' | 'estimateUsd'>): number {
  if (done > 0 && costUsd > 0) return costUsd / done;
  return total === 0 ? 0 : estimateUsd / total;
}
