import {
  hasEnded,
  sleep,
  type AlertInput,
  type CaseDocument,
  type CaseReader,
  type RunSettings,
} from '@casefile/contracts';
import { flow } from '@casefile/pipeline';
import { createInlineQueue, toolTopic } from '@casefile/queue';
import { wakeDue } from '@casefile/engine';
import { assemble, type Adapters } from './platform.js';

/** The whole flow in this process, for the cases of one data set. */
export interface DatasetPipeline {
  /** Runs an alert through the flow until its run has ended, with or without a verdict. */
  judge(alert: AlertInput): Promise<CaseDocument>;
  close(): Promise<void>;
}

export interface DatasetPipelineOptions {
  /** Recorded data set name of its cases. */
  dataset: string;
  /** Changes the settings of every run. */
  change(settings: RunSettings): RunSettings;
}

const LOOK_EVERY_MS = 20;
const WAKE_EVERY_MS = 1_000;
/** Events after which a run may be over. */
const ENDS = ['verdict.decided', 'run.stopped', 'run.quarantined', 'run.parked'];
const EVENTS_READ = 1_000;

/**
 * Returns the flow with the tools, models and record of a configuration, and a queue in this process, to
 * measure a labelled set. Its runs stay on the record in the lane `batch`. Each has its own case, which lists
 * and metrics exclude. Nothing is delivered, and no verdict has side effects. Services on the same record may
 * continue unfinished runs.
 */
export function datasetPipeline(
  adapters: Adapters,
  { dataset, change }: DatasetPipelineOptions,
): DatasetPipeline {
  const { store, log } = adapters;
  const queue = createInlineQueue({ log, slots: { live: 8, bulk: 32 } });
  const platform = assemble(
    { ...adapters, queue },
    { change: (settings) => ({ ...change(settings), outward: false }) },
  );
  for (const { name } of flow) queue.on(name, (job) => platform.stages.handle(name, job, 'bulk'));
  for (const tool of platform.toolNames)
    queue.on(toolTopic(tool), (job) => platform.toolCalls.handle(job, 'bulk'));
  const endings = new Endings(store.record);
  const closed = new AbortController();
  // An outage loses no events: the next poll continues after the last event read.
  const tolerated = (error: unknown) =>
    log.debug({ error }, 'the cases of the data set were not looked after');
  const loops = [
    every(LOOK_EVERY_MS, closed.signal, () => endings.look().catch(tolerated)),
    // A stage that waits for a retry has no job.
    every(WAKE_EVERY_MS, closed.signal, async () => {
      if (endings.awaited.length > 0)
        await wakeDue({ store, queue }, { cases: endings.awaited }).catch(tolerated);
    }),
  ];
  return {
    judge: async (alert) => {
      await endings.begin();
      const { caseId } = await platform.intake.accept(alert, { dataset });
      for (;;) {
        // Subscribes before reading the case, so that an end right after the read is noticed.
        const ended = endings.of(caseId);
        const caseDocument = await store.record.getCase(caseId);
        if (caseDocument?.runs.every(hasEnded)) {
          endings.forget(caseId);
          return caseDocument;
        }
        await ended;
      }
    },
    close: async () => {
      closed.abort();
      platform.stages.stop();
      platform.toolCalls.stop();
      await Promise.all(loops);
      await queue.close();
    },
  };
}

/**
 * Notifies when a case may have ended. Reading a whole case is expensive, so it is read only after such an
 * event.
 */
class Endings {
  private readonly waiting = new Map<string, () => void>();
  private last: Promise<string | null> | null = null;

  constructor(private readonly record: Pick<CaseReader, 'eventsAfter' | 'lastEventId'>) {}

  /** Ids of cases that a caller waits for. */
  get awaited(): string[] {
    return [...this.waiting.keys()];
  }

  /** Starts to watch for ends, from the latest event on. */
  async begin(): Promise<void> {
    await (this.last ??= this.record.lastEventId());
  }

  /** Resolves when an event reports the end of a run of the case. */
  of(caseId: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(caseId, resolve));
  }

  forget(caseId: string): void {
    this.waiting.delete(caseId);
  }

  /** Reads the events since the last poll. @throws if the store does not answer. */
  async look(): Promise<void> {
    if (this.waiting.size === 0) return;
    const from = (await this.last) ?? null;
    const events = await this.record.eventsAfter(from, EVENTS_READ);
    this.last = Promise.resolve(events.at(-1)?.id ?? from);
    for (const { type, caseId } of events)
      if (caseId !== null && ENDS.includes(type)) this.waiting.get(caseId)?.();
  }
}

async function every(ms: number, over: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!over.aborted) {
    await sleep(ms);
    await work();
  }
}
