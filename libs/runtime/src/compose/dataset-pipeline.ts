import {
  sleep,
  type AlertInput,
  type CaseDocument,
  type CaseReader,
  type RunSettings,
} from '@casefile/contracts';
import { flow } from '@casefile/pipeline';
import { createInlineQueue } from '@casefile/queue';
import { wakeDue } from '../sweep/sweeper.js';
import { assemble, type Adapters } from './platform.js';

/** The whole flow in this process, for the cases of one data set. */
export interface DatasetPipeline {
  /** Takes an alert through the flow until its run has ended, with a verdict or without. */
  judge(alert: AlertInput): Promise<CaseDocument>;
  close(): Promise<void>;
}

export interface DatasetPipelineOptions {
  /** The name under which its cases are on the record. */
  dataset: string;
  /** Lays something over the settings of every run. */
  change(settings: RunSettings): RunSettings;
}

const LOOK_EVERY_MS = 20;
const WAKE_EVERY_MS = 1_000;
/** What the record tells when a run may be over. */
const ENDS = ['verdict.decided', 'run.stopped', 'run.quarantined', 'run.parked'];
const OVER = ['decided', 'stopped', 'quarantined', 'parked'];
const EVENTS_READ = 1_000;

/**
 * The flow with the tools, models and record of a configuration, and a queue in this process: to measure on a labelled set.
 * Its runs stay on the record in the lane `batch`, each in a case of its own that lists and figures leave out; nothing is
 * delivered and no verdict has an effect. Services that work on the same record may take over what this process leaves.
 */
export function datasetPipeline(
  adapters: Adapters,
  { dataset, change }: DatasetPipelineOptions,
): DatasetPipeline {
  const { store, log } = adapters;
  const queue = createInlineQueue({ log, slots: { live: 8, bulk: 32 } });
  const platform = assemble({ ...adapters, queue }, (settings) => ({ ...change(settings), outward: false }));
  for (const { name } of flow) queue.on(name, (job) => platform.stages.handle(name, job, 'bulk'));
  for (const tool of platform.toolNames)
    queue.on(`tool.${tool}`, (job) => platform.toolCalls.handle(job, 'bulk'));
  const open = new Set<string>();
  const endings = new Endings(store);
  let isClosed = false;
  const woken = every(
    WAKE_EVERY_MS,
    () => isClosed,
    async () => {
      if (open.size === 0) return;
      // A stage that is to be tried again later has no job of its own; of an outage the next look learns.
      await wakeDue({ store, queue }, undefined, [...open]).catch((error: unknown) =>
        log.debug({ error }, 'the cases of the data set were not looked after'),
      );
    },
  );
  return {
    judge: async (alert) => {
      await endings.begin();
      const { caseId } = await platform.intake.accept(alert, { dataset });
      open.add(caseId);
      try {
        for (;;) {
          await sleep(LOOK_EVERY_MS);
          if (!(await endings.has(caseId))) continue;
          const found = await store.getCase(caseId);
          if (found?.runs.every((run) => OVER.includes(run.status))) return found;
        }
      } finally {
        open.delete(caseId);
      }
    },
    close: async () => {
      isClosed = true;
      platform.stages.stop();
      platform.toolCalls.stop();
      await woken;
      await queue.close();
    },
  };
}

/** Cases that events say have ended. A whole case is large: it is read when it is over, not to see whether it is. */
class Endings {
  private readonly ended = new Set<string | null>();
  private last: Promise<string | null> | null = null;

  constructor(private readonly store: Pick<CaseReader, 'eventsAfter' | 'lastEventId'>) {}

  /** From here on endings are noted. */
  async begin(): Promise<void> {
    await (this.last ??= this.store.lastEventId());
  }

  /** Has the case ended? Told once. Many ask at a time: one of them reads. */
  async has(caseId: string): Promise<boolean> {
    const before = this.last;
    this.last = (async () => this.read(await before))();
    await this.last;
    return this.ended.delete(caseId);
  }

  private async read(from: string | null): Promise<string | null> {
    const events = await this.store.eventsAfter(from, EVENTS_READ).catch(() => []);
    for (const { type, caseId } of events) if (ENDS.includes(type)) this.ended.add(caseId);
    return events.at(-1)?.id ?? from;
  }
}

async function every(ms: number, isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await sleep(ms);
    await work();
  }
}
