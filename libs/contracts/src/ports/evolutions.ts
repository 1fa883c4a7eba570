import { REASONS, reasonOf, type ReasonCode } from '../errors/reason-codes.js';
import type { JsonObject } from '../json.js';
import type { RunStatus } from '../run-status.js';
import type { Act, PromptName } from './prompt-versions.js';

/** States of a prompt evolution. `done`: it has a report. `stopped`: a person ended it without one. */
export const EVOLUTION_STATUSES = ['running', 'paused', 'stopped', 'done'] as const;
export type EvolutionStatus = (typeof EVOLUTION_STATUSES)[number];

/** Most evolutions on the record. */
export const MOST_EVOLUTIONS = 1_000;

/**
 * Reason codes of runs that no text could have helped: no money, no price or no provider. The evolution pauses for
 * them, because a score without these runs would say nothing about the text.
 */
export const HELD_REASONS: readonly ReasonCode[] = (Object.keys(REASONS) as ReasonCode[]).filter(
  (code) =>
    reasonOf(code).outage?.includes('model') === true ||
    ['batch_budget', 'budget_exhausted', 'unknown_price', 'no_provider'].includes(code),
);

/** Evolution of a prompt on recorded cases. */
export interface EvolutionEntry extends PromptName {
  id: string;
  /** Labelled set of the cases. null: labelled cases of live work. */
  dataset: string | null;
  state: EvolutionStatus;
  /** Why it is paused or stopped. null: a person did it, or it is neither. */
  reason: string | null;
  /** Share of each objective in the score of a case. */
  weights: Readonly<Record<string, number>>;
  budgetUsd: number;
  /** Paid so far, with what calls in flight have reserved. */
  costUsd: number;
  /** The live version that it started from. */
  baseVersion: number;
  /** Number of finished steps. A result is stored only for the step that it belongs to. */
  step: number;
  /** State of the loop, as the pipeline made it. */
  progress: JsonObject;
  /** null: it is not done. */
  report: JsonObject | null;
  /** Version that was added for the best candidate. null: none. */
  version: number | null;
  author: string;
  /** ISO 8601. */
  createdAt: string;
  endedAt: string | null;
  /** Time of work without pauses, in milliseconds. */
  workedMs: number;
}

/** An evolution that a person starts. */
export type NewEvolution = Pick<
  EvolutionEntry,
  'id' | 'playbook' | 'name' | 'dataset' | 'weights' | 'budgetUsd' | 'baseVersion' | 'progress'
> &
  Act;

/** A case with the outcome that most people's newest labels name. */
export interface LabelledOutcome {
  caseId: string;
  outcome: JsonObject;
}

/** Data of a run that an evaluation needs. */
export interface EvaluatedRun {
  runId: string;
  caseId: string;
  status: RunStatus;
  reasonCode: string | null;
  /** Ids or quotes that its drafts cite, and those of them that are on the record. */
  cited: number;
  supported: number;
  /** Claims that the cross-examination answered, with the answer. */
  claims: readonly { text: string; answer: string }[];
  confidence: number | null;
  /** Reason code with which a draft fell back to rules. null: no draft did. */
  fallback: string | null;
  /** Outcome of the verdict. null: there is no verdict. */
  outcome: JsonObject | null;
  /** Outcome that the labels of the case name. null: there is no label. */
  expected: JsonObject | null;
  right: boolean | null;
  /** Answer of the last draft. null: there is no draft. */
  answer: JsonObject | null;
  /** Text of the case, and its structured input. */
  text: string;
  input: JsonObject | null;
  /** The newest note of a person on a label. null: none. */
  note: string | null;
}

/** Acts of people on an evolution. */
export const EVOLUTION_ACTS = ['pause', 'resume', 'stop'] as const;
export type EvolutionAct = (typeof EVOLUTION_ACTS)[number];

/** Prompt evolutions on the record. Each act is one transaction with its event, and acts once per `actId`. */
export interface Evolutions {
  /** Lists evolutions, the newest first, without `progress`. */
  list(): Promise<EvolutionEntry[]>;
  get(id: string): Promise<EvolutionEntry | null>;
  /**
   * Starts an evolution. A repeated act returns the evolution that it started.
   * @throws CasefileError `conflict` if an evolution of the prompt is running or paused; `too_many`.
   */
  create(evolution: NewEvolution): Promise<EvolutionEntry>;
  /**
   * Pauses, resumes or stops. Resuming wakes runs that waited for the budget. @returns null if there is no such
   * evolution. @throws CasefileError `conflict` if its state does not allow it.
   */
  act(id: string, act: EvolutionAct, by: Act, budgetUsd?: number): Promise<EvolutionEntry | null>;
  /** Returns the cases of a kind that people labelled and whose shown run has a verdict. */
  labelled(of: { playbook: string; dataset: string | null; limit: number }): Promise<LabelledOutcome[]>;

  /** Returns the evolutions that are running, oldest first. */
  running(): Promise<EvolutionEntry[]>;
  /** Returns the recorded data of these runs. Unknown runs are omitted. */
  evaluated(runIds: readonly string[]): Promise<EvaluatedRun[]>;
  /** Stores the state after a step. @returns false if another process did, or the evolution does not run. */
  keep(id: string, step: number, progress: JsonObject): Promise<boolean>;
  /**
   * Pauses a running evolution automatically, with a reason. Does nothing if its budget is no longer the one that was
   * read: a person has raised it since.
   */
  hold(evolution: Pick<EvolutionEntry, 'id' | 'budgetUsd'>, reason: string): Promise<void>;
  /** Ends a running evolution with its report. */
  finish(id: string, step: number, end: { report: JsonObject; version: number | null }): Promise<boolean>;
}
