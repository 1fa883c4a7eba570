import type { Lane } from '../job.js';
import type { AccessKeys } from './access-keys.js';
import type { AuditLog } from './audit.js';
import type { Batches } from './batches.js';
import type { Budgets } from './budgets.js';
import type { CallMonths } from './call-months.js';
import type { CaseReader } from './case-reader.js';
import type { DeadLetters } from './dead-letters.js';
import type { Deliveries } from './deliveries.js';
import type { DataSources } from './data-sources.js';
import type { Destinations } from './destinations.js';
import type { Erasures } from '../erasure.js';
import type { EngagementSessions } from './engagement-sessions.js';
import type { Evolutions } from '../evolutions.js';
import type { Experiments, ShadowRuns } from './experiments.js';
import type { FeedbackBook } from '../feedback.js';
import type { Flags } from '../flags.js';
import type { Installations } from './installations.js';
import type { Imports } from './imports.js';
import type { Interactions } from './interactions.js';
import type { PromptSets, PromptVersions } from '../prompts.js';
import type { PageLinks } from './page-links.js';
import type { Processes } from './processes.js';
import type { Providers } from './providers.js';
import type { ReadReplica } from './read-replica.js';
import type { ReusableAnswers } from './reusable-answers.js';
import type { Reviews } from './reviews.js';
import type { SharedSettingsReader } from './shared-settings.js';
import type { Changes } from './changes.js';
import type { Runs } from './runs.js';
import type { Schedules } from '../schedules.js';
import type { Sessions } from './sessions.js';
import type { Signals } from './signals.js';
import type { Silences } from './silences.js';
import type { StoredResults } from './stored-results.js';
import type { Storms } from './storms.js';
import type { ToolCalls } from './tool-calls.js';
import type { ToolPins } from '../tool-pins.js';
import type { Leadership, Units } from './units.js';
import type { History } from './history.js';
import type { QualityFigures } from './quality-figures.js';
import type { SearchWords } from './search-words.js';
import type { Recalibrations } from '../recalibrations.js';

/**
 * The record, divided by content. Time is the store's own clock, so that leases do not depend on the clocks
 * of workers. Every method is safe to call again after a connection error.
 */
export interface CaseStore {
  runs: Runs;
  units: Units;
  interactions: Interactions;
  callMonths: CallMonths;
  toolCalls: ToolCalls;
  deliveries: Deliveries;
  dataSources: DataSources;
  destinations: Destinations;
  deadLetters: DeadLetters;
  record: CaseReader;
  providers: Providers;
  budgets: Budgets;
  engagements: EngagementSessions;
  storedResults: StoredResults;
  storms: Storms;
  toolPins: ToolPins;
  batches: Batches;
  feedback: FeedbackBook;
  reviews: Reviews;
  imports: Imports;
  prompts: PromptSets;
  promptVersions: PromptVersions;
  schedules: Schedules;
  signals: Signals;
  silences: Silences;
  pageLinks: PageLinks;
  answers: ReusableAnswers;
  settings: SharedSettingsReader;
  changes: Changes;
  flags: Flags;
  experiments: Experiments & ShadowRuns;
  evolutions: Evolutions;
  installations: Installations;
  processes: Processes;
  qualityFigures: QualityFigures;
  searchWords: SearchWords;
  recalibrations: Recalibrations;
  history: History;
  audit: AuditLog;
  sessions: Sessions;
  keys: AccessKeys;
  erasures: Erasures;

  /**
   * The flow's writes over connections reserved for live work. Default: all work shares the same connections.
   */
  readonly ofLive?: FlowWrites;

  /** The replica from which lists, search and quality are read. Default: the primary is read. */
  readonly replica?: ReadReplica;

  /** Elects one leader per name among all processes. null: another process leads. */
  lead(name: string): Promise<Leadership | null>;
  /** Returns an id that no other record has, and that a restored copy keeps. null: the record has none. */
  recordId(): Promise<string | null>;
  /** @throws if the store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  /**
   * Commits a write that needs new space, at most once in 5 s. After a failure, every call tries again.
   * @throws CasefileError with the reason if writes fail, even if reads work (a full disk, a read-only
   * database), or if the store does not answer within `timeoutMs`.
   */
  proveWrites(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The writes of a run on its way through the flow. */
export interface FlowWrites {
  runs: Pick<Runs, 'accept'>;
  units: Pick<Units, 'claim' | 'renew' | 'commit' | 'release'>;
  interactions: Interactions;
  toolCalls: ToolCalls;
}

/** The lane of work, as far as it is known. `bulk`: any lane except `live`. */
export type WorkLane = Lane | 'bulk';

/** Returns the part of the store that work of this lane writes to. */
export function writesForLane(
  store: FlowWrites & { readonly ofLive?: FlowWrites },
  lane: WorkLane,
): FlowWrites {
  return lane === 'live' ? (store.ofLive ?? store) : store;
}
