import type { KeyObject } from 'node:crypto';
import type {
  AccessKeys,
  AuditLog,
  Batches,
  Budgets,
  CaseStore,
  Condition,
  DataSources,
  Destinations,
  Erasures,
  Flags,
  History,
  Evolutions,
  Experiments,
  Imports,
  InstalledProvider,
  InstalledToolServer,
  Lessons,
  Meta,
  PipelineView,
  PolicyDocuments,
  PromptSets,
  PromptVersions,
  Providers,
  Reviews,
  RunbookShelf,
  RunSettings,
  SettingEntry,
  ShownSchedule,
  Queue,
  ToolPins,
  QualityFigures,
  ShownEvaluation,
  Recalibrations,
  Sessions,
  Silences,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { ConfiguredDestination, InstalledPrompt, Intake, QueueReading, Rerun } from '@casefile/runtime';
import type { SignInCreator } from './access/open-session.js';
import type { EventFeed } from './live/event-feed.js';

/** Dependencies of the ops API handlers. */
export interface ConsolePorts {
  store: Pick<CaseStore, 'record' | 'deadLetters' | 'engagements' | 'feedback' | 'signals'> & {
    silences: Pick<Silences, 'create' | 'end' | 'get' | 'list'>;
    reviews: Pick<Reviews, 'act' | 'list' | 'waiting' | 'get' | 'view'>;
    budgets: Pick<Budgets, 'raise'>;
    providers: Pick<Providers, 'tryNow' | 'states'>;
    batches: Pick<Batches, 'list' | 'get' | 'members' | 'preview' | 'act' | 'degradedSince'>;
    imports: Pick<Imports, 'open' | 'addPiece' | 'ready' | 'discard' | 'get' | 'list'>;
    toolPins: Pick<ToolPins, 'servers' | 'approve' | 'use'>;
    dataSources: DataSources;
    prompts: Pick<PromptSets, 'get'>;
    qualityFigures: Pick<
      QualityFigures,
      'counts' | 'series' | 'forecasts' | 'labels' | 'labelFacts' | 'missing' | 'examiners'
    >;
    recalibrations: Recalibrations;
    history: Pick<History, 'series'>;
    audit: Pick<AuditLog, 'list' | 'check'>;
    sessions: Pick<Sessions, 'list' | 'revoke'>;
    keys: Pick<AccessKeys, 'any' | 'list' | 'create' | 'rotate' | 'revoke'>;
    erasures: Pick<Erasures, 'casesWith' | 'preview' | 'request' | 'get' | 'list' | 'erasedCases'>;
    promptVersions: Pick<PromptVersions, 'list' | 'get' | 'history' | 'add' | 'move'>;
    flags: Pick<Flags, 'list' | 'set' | 'reset'>;
    experiments: Experiments;
    evolutions: Pick<Evolutions, 'list' | 'get' | 'create' | 'act' | 'labelled'>;
    destinations: Pick<
      Destinations,
      | 'acknowledge'
      | 'added'
      | 'put'
      | 'remove'
      | 'states'
      | 'add'
      | 'pause'
      | 'resume'
      | 'resend'
      | 'resendSince'
      | 'list'
      | 'labels'
    >;
  };
  /** Signs in the creator of the first key. */
  signInCreator: SignInCreator;
  policies: Pick<PolicyDocuments, 'listPolicies' | 'policyVersion' | 'policyTree' | 'policySections'>;
  runbooks: RunbookShelf;
  lessons: Pick<Lessons, 'proposals' | 'decide'>;
  patternState(): Promise<{ revision: number; patterns: number }>;
  /**
   * Settings of new runs, as the installation publishes them; null: the installation does not know this kind
   * of case yet.
   */
  newRunSettings(playbook: string): RunSettings | null;
  queue: Pick<Queue, 'nudge'>;
  /** Depths of the queues, at most one second old. */
  queues(): Promise<QueueReading>;
  intake: Pick<Intake, 'receive' | 'maskedOriginal' | 'storedKey'>;
  rerun: Pick<Rerun, 'open' | 'createBatch'>;
  now(): number;
  /** Time in which a correction can be undone before it leaves, in milliseconds. */
  sendCorrectionsAfterMs: number;
  /** Hours within which a person should answer, by kind; `default`: of the other kinds. */
  answerWithinHours: Readonly<Record<string, number>>;
  newId(): string;
  /** Key that signs decision files; null: none is configured. */
  signingKey: KeyObject | null;
  feed: EventFeed;
  playbooks: readonly Pick<
    Playbook,
    'name' | 'version' | 'tools' | 'intake' | 'presenting' | 'strategies' | 'options' | 'outward'
  >[];
  /** Prompts that have versions, with the shipped texts of this release. */
  prompts: readonly InstalledPrompt[];
  /** Destinations of the configuration; their `${NAME}` are not replaced. */
  destinations: readonly ConfiguredDestination[];
  /** Results of labelled sets, by kind and set, newest first. */
  evaluations: readonly ShownEvaluation[];
  /** Whether destinations that are added by API may have private addresses. */
  addedAllowPrivate: boolean;
  /** Providers that the installation can use. */
  providers(): readonly InstalledProvider[];
  /** MCP servers of the installation. */
  toolServers(): readonly InstalledToolServer[];
  /** Names of the MCP servers of the configuration. */
  mcpServers: readonly string[];
  /** At most one second old. */
  pipeline(): Promise<PipelineView>;
  /** Open conditions, errors first; at most one second old. */
  conditions(): Promise<Condition[]>;
  /** Settings in force in this process, without secrets. */
  configuration(): Promise<SettingEntry[]>;
  /** Schedules and feeds of the configuration with their states. */
  schedules(): Promise<ShownSchedule[]>;
  meta(): Meta;
}
