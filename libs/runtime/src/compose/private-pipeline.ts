import type { AlertInput, CaseDocument, RunSettings } from '@casefile/contracts';
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
        const found = await store.getCase(caseId);
        if (found?.runs.every((run) => OVER.includes(run.status))) return found;
      }
    },
  };
}
