import { cachedFor, type Condition, type PipelineView, type WaitingReviews } from '@casefile/contracts';
import { flow } from '@casefile/pipeline';
import type { Platform } from '../compose/platform.js';
import { conditionSources, workSources } from './condition-sources.js';
import { openConditions, type OpenConditions } from './conditions.js';
import { pipelineView } from './pipeline-view.js';
import { queueReader, type QueueReading } from './queue-reader.js';
import type { ConditionSources } from './read-facts.js';
import { storeWatches, type StoreWatches } from './store-watches.js';

/** Maximum age of the counts of waiting reviews, in milliseconds. A condition appears within 15 s. */
const WAITING_MAX_AGE_MS = 5_000;

/** Readers of the state of an installation. Each reads at most once a second, however many callers ask. */
export interface StateReaders {
  watches: StoreWatches;
  queues(): Promise<QueueReading>;
  pipeline(): Promise<PipelineView>;
  /** Reads the verdicts that wait for a person. */
  waiting(): Promise<WaitingReviews[]>;
  sources: ConditionSources;
  /** Reads the open conditions with what could not be read. */
  state(): Promise<OpenConditions>;
  /** Reads the open conditions, errors first. */
  conditions(): Promise<Condition[]>;
}

const readersByPlatform = new WeakMap<object, StateReaders>();

/** Returns the readers of a platform. The services of a process share them. */
export function stateReaders(platform: Platform): StateReaders {
  const existing = readersByPlatform.get(platform.store);
  if (existing !== undefined) return existing;
  const created = createReaders(platform);
  readersByPlatform.set(platform.store, created);
  return created;
}

function createReaders(platform: Platform): StateReaders {
  const { store, clock, config, toolNames } = platform;
  const watches = storeWatches(platform);
  const queues = queueReader(platform.queue, watches.queue);
  const pipeline = pipelineView({
    store,
    queues,
    clock,
    toolNames,
    inRounds: config.playbooks.filter(({ maxRounds }) => maxRounds > 1).map(({ name }) => name),
    stages: flow,
    budgets: config.settings.budgets,
  });
  const waiting = cachedFor(WAITING_MAX_AGE_MS, () =>
    store.reviews.waiting(clock.now(), config.settings.reviews.answerWithinHours),
  );
  const sources = conditionSources(platform, watches, workSources(platform, pipeline, waiting));
  const state = openConditions(sources);
  const conditions = async () => (await state()).conditions;
  return { watches, queues, pipeline, waiting, sources, state, conditions };
}
