import type { Alert } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { RunStatus } from '../run-status.js';
import type { RunSettings } from '../settings.js';
import type { VerdictEffect } from './engagement-sessions.js';
import type { Batch, BatchAct, BatchAsk, BatchMembers } from '../ops-api-batches.js';

/** What a run needs to be made again. */
export interface RunBase {
  runId: string;
  caseId: string;
  playbook: string;
  status: RunStatus;
  settings: RunSettings;
  alert: Alert;
}

/** Cases as they are picked for a batch, with what a run of each would cost. */
export interface Picked {
  members: { caseId: string; baseRunId: string }[];
  estimateUsd: number;
}

/** A case of a batch whose run is to be opened. */
export interface WaitingMember {
  position: number;
  caseId: string;
  baseRunId: string;
  runId: string;
  /** A second run of the same; null: none. */
  twinRunId: string | null;
}

/** A case of a batch whose verdict is to be applied. */
export interface MemberToApply {
  position: number;
  playbook: string;
  verdict: JsonObject;
}

/** Its verdict is applied, and does this beyond being said. */
export interface AppliedMember {
  position: number;
  effects: readonly VerdictEffect[];
}

/** A batch that is worked at. */
export interface BatchAtWork {
  id: string;
  state: 'running' | 'applying';
  ask: BatchAsk;
  waiting: number;
  open: number;
  /** Of the open ones, those that wait for its budget. */
  held: number;
  done: number;
  costUsd: number;
  /** What one more run is expected to cost. */
  expectedUsd: number;
}

/**
 * Cases that are judged again together. Every write is safe to be made again: a process may die after it and before it
 * could note that it was made. S4-62.
 */
export interface Batches {
  /** The run of this id, or the one that the case of this id shows. */
  runBase(of: { caseId: string; runId?: string }): Promise<RunBase | null>;
  /** Cases whose shown run has ended, and of which the ask is true, oldest first. @throws InvalidInput for a time that is none. */
  pick(ask: BatchAsk): Promise<Picked>;
  /** @returns false if `mostOpen` batches are open already: then nothing is written. */
  create(batch: {
    id: string;
    ask: BatchAsk;
    estimateUsd: number;
    members: (Picked['members'][number] & { runId: string; twinRunId?: string })[];
    /** Left out: any number. */
    mostOpen?: number;
  }): Promise<boolean>;
  list(limit: number): Promise<Batch[]>;
  get(id: string): Promise<Batch | null>;
  members(id: string, limit: number, offset: number): Promise<BatchMembers>;
  /** Running ones and those that are applied, oldest first; what came of their runs is noted before. */
  atWork(): Promise<BatchAtWork[]>;
  waitingMembers(id: string, limit: number): Promise<WaitingMember[]>;
  /** The runs of these are opened; those in `failed` cannot be, and why. */
  markOpened(id: string, positions: number[], failed: { position: number; message: string }[]): Promise<void>;
  /** What it may cost as of now, in US dollars; null: no bound, or no such batch. */
  budget(id: string): Promise<number | null>;
  /** Pauses a running batch by itself. */
  hold(id: string, reason: string): Promise<void>;
  /**
   * Resumed, its runs that waited for the budget go on; discarded, they are stopped.
   * @returns null: there is no such batch. false: it is not in a state for that.
   */
  act(id: string, act: BatchAct, budgetUsd?: number): Promise<boolean | null>;
  membersToApply(id: string, limit: number): Promise<MemberToApply[]>;
  /**
   * Makes the verdicts of these cases those that the cases show, does what they do, and has them delivered with the run that each
   * replaces; cases that show another run than the one that was made again keep theirs. What the replaced verdict of the same
   * alert opened goes on with the new one. With none left to apply the batch is applied.
   */
  applyMembers(id: string, members: readonly AppliedMember[]): Promise<void>;
  /** Verdicts that were degraded since then, of cases that still show them. */
  degradedSince(since: string): Promise<number>;
}

/** What was done of a batch, in what time. */
export interface BatchWork {
  /** Milliseconds, without its pauses. */
  workedMs: number;
  /** Cases that ended of late, and in how many seconds; null: none has yet. */
  recent: number;
  recentS: number | null;
}

/** How fast the cases of a batch end, and how long it will take: by what ended of late, else by all that has. */
export function paceOf(
  { state, total, done }: Pick<Batch, 'state' | 'total' | 'done'>,
  { workedMs, recent, recentS }: BatchWork,
): Pick<Batch, 'ratePerSecond' | 'etaSeconds'> {
  const ratePerSecond = done === 0 || workedMs <= 0 ? null : (done / workedMs) * 1000;
  const pace = recent > 1 && recentS !== null && recentS > 0 ? (recent - 1) / recentS : ratePerSecond;
  const left = total - done;
  if (left === 0) return { ratePerSecond, etaSeconds: 0 };
  return { ratePerSecond, etaSeconds: pace === null || state !== 'running' ? null : Math.ceil(left / pace) };
}

/** What one more run is expected to cost, in US dollars: what one has cost so far, or what was reckoned before. */
export function expectedUsdOf({
  total,
  done,
  costUsd,
  estimateUsd,
}: Pick<Batch, 'total' | 'done' | 'costUsd' | 'estimateUsd'>): number {
  if (done > 0 && costUsd > 0) return costUsd / done;
  return total === 0 ? 0 : estimateUsd / total;
}
