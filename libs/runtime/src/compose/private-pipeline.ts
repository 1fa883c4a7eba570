import type { AlertInput, CaseDocument, CaseReader, RunSettings } from '@casefile/contracts';
import { flow } from '@casefile/pipeline';
import { createInlineQueue } from '@casefile/queue';
import { createMemoryStore } from '@casefile/store';
import { assemble, type Adapters } from './platform.js';

/** A whole flow that leaves nothing behind. */
export interface PrivatePipeline {
  /** Takes an alert through the flow until its run has ended, with a verdict or without. */
  judge(alert: AlertInput): Promise<CaseDocument>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5;
const OVER = ['decided', 'stopped', 'quarantined', 'parked'];
/** What the record tells when a run may be over. */
const ENDS = ['verdict.decided', 'run.stopped', 'run.quarantined', 'run.parked'];
const EVENTS_READ = 1_000;

/**
 * The flow with the tools and models of a configuration and a record of its own in this process's memory: for
 * evaluation. Nothing goes on the record, nothing is delivered, no session is opened; what is paid is paid all the same.
 * @param change Lays something over the settings of every run.
 */
export function privatePipeline(
  adapters: Adapters,
  change: (settings: RunSettings) => RunSettings,
): PrivatePipeline {
  const store = createMemoryStore({ clock: adapters.clock });
  const queue = createInlineQueue({ log: adapters.log });
  const platform = assemble({ ...adapters, store, queue }, change);
  for (const { name } of flow) queue.on(name, (job) => platform.stages.handle(name, job));
  for (const tool of platform.toolNames) queue.on(`tool.${tool}`, (job) => platform.toolCalls.handle(job));
  // A stage that failed and is to be tried again is woken by the sweep.
  platform.sweeper.start();
  const endings = endingsOf(store);
  return {
    close: async () => {
      platform.stages.stop();
      platform.toolCalls.stop();
      await platform.sweeper.stop();
    },
    judge: async (alert) => {
      const { caseId } = await platform.intake.accept(alert);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        if (!(await endings.has(caseId))) continue;
        const found = await store.getCase(caseId);
        if (found?.runs.every((run) => OVER.includes(run.status))) return found;
      }
    },
  };
}

// A whole case is read when it is over, and not to see whether it is: with what models were asked it is large.
function endingsOf(store: Pick<CaseReader, 'eventsAfter'>): { has(caseId: string): Promise<boolean> } {
  const ended = new Set<string | null>();
  let last: string | null = null;
  return {
    has: async (caseId) => {
      for (;;) {
        const events = await store.eventsAfter(last, EVENTS_READ);
        for (const { id, type, caseId: of } of events) {
          last = id;
          if (ENDS.includes(type)) ended.add(of);
        }
        if (events.length < EVENTS_READ) return ended.delete(caseId);
      }
    },
  };
}
