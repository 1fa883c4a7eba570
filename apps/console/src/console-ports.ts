import type {
  CaseReader,
  EngagementSessions,
  Meta,
  PipelineView,
  PolicyDocuments,
  ProviderStates,
  Queue,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { Intake } from '@casefile/runtime';
import type { EventFeed } from './live/event-feed.js';

/** What the handlers of the ops API work with. */
export interface ConsolePorts {
  store: CaseReader & EngagementSessions & Pick<ProviderStates, 'tryProvider'>;
  policies: Pick<PolicyDocuments, 'listPolicies' | 'policyVersion' | 'policyTree' | 'policySections'>;
  queue: Pick<Queue, 'depths' | 'nudge'>;
  intake: Pick<Intake, 'accept'>;
  feed: EventFeed;
  playbooks: readonly Pick<Playbook, 'name' | 'version' | 'tools' | 'validate' | 'presenting'>[];
  /** A second old at most. */
  pipeline(): Promise<PipelineView>;
  meta: Meta;
}
