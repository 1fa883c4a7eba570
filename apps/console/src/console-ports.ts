import type {
  Batches,
  Budgets,
  CaseStore,
  Condition,
  Imports,
  InstalledToolServer,
  Meta,
  PipelineView,
  PolicyDocuments,
  Providers,
  RunbookShelf,
  RunSettings,
  Queue,
  ToolPins,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { Intake, Rerun } from '@casefile/runtime';
import type { EventFeed } from './live/event-feed.js';

/** What the handlers of the ops API work with. */
export interface ConsolePorts {
  store: Pick<CaseStore, 'record' | 'deadLetters' | 'engagements' | 'feedback' | 'signals'> & {
    budgets: Pick<Budgets, 'raise'>;
    providers: Pick<Providers, 'tryNow' | 'states'>;
    batches: Pick<Batches, 'list' | 'get' | 'members' | 'act' | 'degradedSince'>;
    imports: Pick<Imports, 'open' | 'addPiece' | 'ready' | 'discard' | 'get'>;
    toolPins: Pick<ToolPins, 'servers' | 'approve' | 'use'>;
  };
  policies: Pick<PolicyDocuments, 'listPolicies' | 'policyVersion' | 'policyTree' | 'policySections'>;
  runbooks: RunbookShelf;
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** As the installation publishes them; null: it does not know the kind of case yet. */
  newRunSettings(playbook: string): RunSettings | null;
  queue: Pick<Queue, 'depths' | 'nudge'>;
  intake: Pick<Intake, 'accept' | 'original'>;
  rerun: Pick<Rerun, 'open' | 'createBatch'>;
  now(): number;
  newId(): string;
  feed: EventFeed;
  playbooks: readonly Pick<Playbook, 'name' | 'version' | 'tools' | 'intake' | 'presenting'>[];
  /** MCP servers of the installation. */
  toolServers(): readonly InstalledToolServer[];
  /** A second old at most. */
  pipeline(): Promise<PipelineView>;
  /** What is wrong now, errors first; a second old at most. */
  conditions(): Promise<Condition[]>;
  meta(): Meta;
}
