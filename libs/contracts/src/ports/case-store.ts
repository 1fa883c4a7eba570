import type { Lane } from '../job.js';
import type { Batches } from './batches.js';
import type { Budgets } from './budgets.js';
import type { CaseReader } from './case-reader.js';
import type { DeadLetters } from './dead-letters.js';
import type { Deliveries } from './deliveries.js';
import type { EngagementSessions } from './engagement-sessions.js';
import type { FeedbackBook } from './feedback.js';
import type { Installations } from './installations.js';
import type { Imports } from './imports.js';
import type { Interactions } from './interactions.js';
import type { PromptSets } from './prompt-sets.js';
import type { Processes } from './processes.js';
import type { Providers } from './providers.js';
import type { ReusableAnswers } from './reusable-answers.js';
import type { Runs } from './runs.js';
import type { Signals } from './signals.js';
import type { StoredResults } from './stored-results.js';
import type { ToolCalls } from './tool-calls.js';
import type { ToolPins } from './tool-pins.js';
import type { Leadership, Units } from './units.js';

/**
 * The record, by what it keeps. Time is the store's own, so that leases do not depend on the clocks of workers. Every
 * method is safe to call again after an error of connection.
 */
export interface CaseStore {
  runs: Runs;
  units: Units;
  interactions: Interactions;
  toolCalls: ToolCalls;
  deliveries: Deliveries;
  deadLetters: DeadLetters;
  /** Reading it, for people and the ops API. */
  record: CaseReader;
  providers: Providers;
  budgets: Budgets;
  engagements: EngagementSessions;
  storedResults: StoredResults;
  toolPins: ToolPins;
  batches: Batches;
  feedback: FeedbackBook;
  imports: Imports;
  prompts: PromptSets;
  signals: Signals;
  answers: ReusableAnswers;
  installations: Installations;
  processes: Processes;

  /** The flow's writes by way of connections that live work alone may hold; left out: all work shares its connections. */
  readonly ofLive?: FlowWrites;

  /** One leader a name over all processes; null: somebody else leads. */
  lead(name: string): Promise<Leadership | null>;
  /** @throws when the store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  /**
   * Commits a write that takes new space, at most once in 5 s however often it is asked; after a failure at every
   * question. @throws CasefileError with the reason when writes fail, also while reads work (a full disk, a read-only
   * database), or when the store does not answer within `timeoutMs`.
   */
  proveWrites(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What a run writes on its way through the flow. */
export interface FlowWrites {
  runs: Pick<Runs, 'accept'>;
  units: Pick<Units, 'claim' | 'renew' | 'commit' | 'release'>;
  interactions: Interactions;
  toolCalls: ToolCalls;
}

/** The lane of work as far as it is known: `bulk` is any but `live`. */
export type WorkLane = Lane | 'bulk';

/** The way to the record for work of this lane. */
export function writesOf(store: FlowWrites & { readonly ofLive?: FlowWrites }, lane: WorkLane): FlowWrites {
  return lane === 'live' ? (store.ofLive ?? store) : store;
}
