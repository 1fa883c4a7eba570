import type { CaseReader, CaseStore, Queue } from '@casefile/contracts';
import type { Intake } from '@casefile/runtime';
import type { EventFeed } from './live/event-feed.js';

/** What the handlers of the ops API work with. */
export interface ConsolePorts {
  store: CaseReader & Pick<CaseStore, 'redriveRuns' | 'dropBuriedAlerts'>;
  queue: Pick<Queue, 'depths' | 'nudge'>;
  intake: Pick<Intake, 'accept'>;
  feed: EventFeed;
}
