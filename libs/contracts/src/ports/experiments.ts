import type { EventOrder } from '../flags.js';
import type { RunStatus } from '../run-status.js';
import type { Act } from '../act.js';
import type { RunningExperiment } from './rollout.js';

/** States of an experiment. `stepped_back`: its new arm failed, and a person has to reset it. */
export const EXPERIMENT_STATES = ['draft', 'running', 'stopped', 'promoted', 'stepped_back'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

/** Modes of an experiment. `ab`: a share of new cases. `shadow`: a second run after the verdict, without effect. */
export const EXPERIMENT_MODES = ['shadow', 'ab'] as const;

/** Most experiments on the record. */
export const MOST_EXPERIMENTS = 1_000;

/** A comparison of two ways of judging. */
export interface ExperimentEntry extends RunningExperiment {
  /** Largest loss of the new arm that still counts as "at least as good", from 0 to 1. */
  margin: number;
  /** Number of reviewed cases at which a result is expected. */
  expectedCases: number;
  /** Limit for the model calls of shadow runs. null: no limit, because no shadow run is made. */
  budgetUsd: number | null;
  state: ExperimentState;
  author: string;
  /** ISO 8601. */
  createdAt: string;
  /** Time of the first start. null: it has not started. */
  startedAt: string | null;
  endedAt: string | null;
}

/** An experiment that a person creates. */
export type NewExperiment = Omit<
  ExperimentEntry,
  'state' | 'author' | 'createdAt' | 'startedAt' | 'endedAt'
> &
  Act;

/** An act on an experiment, for its history. */
export interface ExperimentAct extends Act {
  /** Such as `experiment.started`. */
  type: string;
  /** Share after the act. null: the act did not change it. */
  share: number | null;
  /** Arm that was promoted. null: none was. */
  arm: string | null;
  at: string;
}

/** Facts of a run that a comparison reads. */
export interface ComparedRun {
  runId: string;
  caseId: string;
  status: RunStatus;
  /** Why it ended without a verdict. null: it has one, or has not ended. */
  reasonCode: string | null;
  disposition: string | null;
  action: string | null;
  confidence: number | null;
  /** Reason code with which a draft fell back. null: no draft did. */
  fallback: string | null;
  /** Whether another model than its own answered. */
  isOtherModel: boolean;
  /** Ids or quotes that its drafts cite, and those of them that are on the record. */
  cited: number;
  supported: number;
  rounds: number;
  /** Tokens of its model calls, also of those whose answers were read from the record. */
  tokens: number;
  /** US dollars, counted like tokens. null: a price is not known. */
  costUsd: number | null;
  /** Time of its model calls, added up, counted like tokens. */
  latencyMs: number;
  /** Whether the verdict agrees with the newest labels of most people. null: no label, or no verdict. */
  right: boolean | null;
}

/** A run of an experiment. */
export interface ExperimentRun extends ComparedRun {
  arm: string;
  /** ISO 8601. */
  createdAt: string;
  /** The live run that a shadow run judges again. null: an A/B run. */
  base: ComparedRun | null;
}

/** The runs of an experiment, oldest first, and their cost. */
export interface ExperimentRuns {
  runs: ExperimentRun[];
  costUsd: number;
  /** Cases for which no shadow run could be opened, by reason. */
  unopened: { reason: string; cases: number }[];
  /** Time since which the share has not changed, ISO 8601. null: the experiment has not started. */
  sameShareSince: string | null;
}

/** Experiments on the record. Each act is one transaction with its event, and acts once per `actId`. */
export interface Experiments {
  /** Lists all experiments, the newest first. */
  list(): Promise<ExperimentEntry[]>;
  /** Returns the experiment with this id. null: there is none. */
  get(id: string): Promise<ExperimentEntry | null>;
  /** Lists the acts of people on an experiment, the newest first. */
  history(id: string, limit: number): Promise<ExperimentAct[]>;
  /** Returns the runs of an experiment for a comparison; at most the first 50,000. */
  runs(id: string): Promise<ExperimentRuns>;
  /**
   * Creates a draft. A repeated act returns the experiment that it created.
   * @throws CasefileError `too_many` if there are `MOST_EXPERIMENTS`.
   */
  create(experiment: NewExperiment): Promise<ExperimentEntry>;
  /**
   * Starts a draft or a stopped experiment: sets its flag, and moves the prompt versions of its arms that are not
   * live to the state `shadow`. @returns null if there is no such experiment.
   * @throws CasefileError `conflict` if another experiment of the kind is running, or the state does not allow it.
   */
  start(id: string, act: Act): Promise<ExperimentEntry | null>;
  /** Changes the share of a draft, running or stopped experiment. @returns null if there is no such experiment. */
  share(id: string, share: number, act: Act): Promise<ExperimentEntry | null>;
  /** Ends a running experiment. Prompt versions that no other experiment uses become candidates again. */
  stop(id: string, act: Act): Promise<ExperimentEntry | null>;
  /**
   * Ends a running or stopped experiment, and makes the prompt versions of an arm live.
   * @throws CasefileError `conflict` if the state does not allow it.
   */
  promote(id: string, arm: string, act: Act): Promise<ExperimentEntry | null>;
}

/** Shadow runs of an experiment so far. */
export interface ShadowProgress {
  /** Runs that have not ended. */
  open: number;
  ended: number;
  costUsd: number;
  budgetUsd: number | null;
  /** Whether a run found no room in the budget. */
  isBudgetUsedUp: boolean;
  /** Position in the events up to which live verdicts were read. null: the experiment is not running. */
  place: EventOrder | null;
}

/** Work of the driver of shadow runs. Every write is idempotent. */
export interface ShadowRuns {
  /** Returns the progress of a running shadow experiment. null: there is none with this id. */
  progress(id: string): Promise<ShadowProgress | null>;
  /**
   * Reads the next events.
   * @returns the live runs of the kind that were decided in them, and the position to continue from; null:
   * there are no more events yet. Runs of data sets, of a demonstration, and those that reuse the answer of
   * another run are left out.
   */
  decidedRuns(
    id: string,
    after: EventOrder,
    limit: number,
  ): Promise<{ runs: { caseId: string; runId: string }[]; place: EventOrder } | null>;
  /** Stores the position up to which live verdicts were read. */
  keepPlace(id: string, place: EventOrder): Promise<void>;
  /** Records that no shadow run of a case can be opened, with the event `experiment.case_missed`. */
  noteMissed(
    id: string,
    missed: { caseId: string; runId: string; reasonCode: string; message: string },
  ): Promise<void>;
}
