import type {
  Batches,
  Budgets,
  CaseReader,
  EngagementSessions,
  FeedbackBook,
  Meta,
  PipelineView,
  PolicyDocuments,
  ProviderStates,
  RunbookShelf,
  Queue,
  Signals,
  ToolPins,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { ConfiguredMcpServer, Intake, Rerun } from '@casefile/runtime';
import type { EventFeed } from './live/event-feed.js';

/** What the handlers of the ops API work with. */
export interface ConsolePorts {
  store: CaseReader &
    EngagementSessions &
    Pick<ProviderStates, 'tryProvider' | 'providerStates'> &
    FeedbackBook &
    Signals &
    Pick<Budgets, 'raiseBudget'> &
    Pick<Batches, 'listBatches' | 'batch' | 'batchMembers' | 'actOnBatch' | 'degradedSince'> &
    Pick<ToolPins, 'pinnedServers' | 'approveTool' | 'toolUse'>;
  policies: Pick<PolicyDocuments, 'listPolicies' | 'policyVersion' | 'policyTree' | 'policySections'>;
  runbooks: RunbookShelf;
  queue: Pick<Queue, 'depths' | 'nudge'>;
  intake: Pick<Intake, 'accept'>;
  rerun: Pick<Rerun, 'open' | 'createBatch'>;
  now(): number;
  newId(): string;
  feed: EventFeed;
  playbooks: readonly Pick<
    Playbook,
    'name' | 'version' | 'tools' | 'validate' | 'presenting' | 'judged' | 'clarify'
  >[];
  /** Servers of tools as they are configured. */
  toolServers: readonly ConfiguredMcpServer[];
  /** A second old at most. */
  pipeline(): Promise<PipelineView>;
  meta: Meta;
}
