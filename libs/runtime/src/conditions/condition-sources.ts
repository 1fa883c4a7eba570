import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFor, type PipelineView, type ShownSchedule, type WaitingReviews } from '@casefile/contracts';
import { configuredBudgets } from '@casefile/engine';
import { flow } from '@casefile/pipeline';
import type { Platform } from '../compose/platform.js';
import { shownSchedules } from '../schedules/schedule-driver.js';
import type { WorkFacts } from './condition-facts.js';
import type { ConditionSources, WorkSources } from './read-facts.js';
import type { StoreWatches } from './store-watches.js';
import { kindQuality } from './quality-low.js';
import { budgetName, isOfAllWork } from './work-conditions.js';

/** Maximum age of counts that change slowly, in milliseconds. */
const DAY_FACTS_MAX_AGE_MS = 5_000;
const DAY_MS = 86_400_000;

/**
 * Returns the readers of the facts about work. They use the data of the page Flow, so that conditions and page
 * show the same.
 */
export function workSources(
  { store, clock, config, installation }: Platform,
  pipeline: () => Promise<PipelineView>,
  waiting: () => Promise<WaitingReviews[]>,
): WorkSources {
  const readUnpriced = cachedFor(DAY_FACTS_MAX_AGE_MS, () => {
    const now = clock.now();
    const range = { from: new Date(now - DAY_MS).toISOString(), to: new Date(now).toISOString() };
    return store.qualityFigures.counts({ ...range, by: 'provider' });
  });
  const readCalls = cachedFor(DAY_FACTS_MAX_AGE_MS, () => store.record.callTimes());
  return {
    pipeline,
    letters: async () => ((await pipeline()).deadLetters === 0 ? [] : store.deadLetters.count()),
    unpriced: async () =>
      (await readUnpriced()).flatMap(({ group, unpriced: calls }) =>
        calls > 0 && group !== null && isBilled(config, group) ? [{ provider: group, calls }] : [],
      ),
    disk: () => embeddedDisk(config),
    reviews: waiting,
    // Calls under an earlier deadline say nothing about the deadline in force.
    calls: async () =>
      (await readCalls()).filter(({ playbook, deadlineMs }) => {
        const options = installation.latest()?.playbooks[playbook]?.options;
        return options === undefined || options['deadlineMs'] === deadlineMs;
      }),
  };
}

// The cost of a self-hosted server is unknown, which is not an error. Such a server is recognised by its
// entry without a key.
function isBilled(config: Platform['config'], provider: string): boolean {
  return config.providerNamed(provider)?.entry.keyVariable !== null;
}

/** Hosts of an embedded database that another process started. The empty name is a socket. */
const OF_THIS_HOST = ['', 'localhost', '127.0.0.1'];

// Without this folder there is no embedded database.
async function embeddedDisk({ databaseUrl, dataDir }: Platform['config']): Promise<WorkFacts['disk']> {
  const isHere =
    databaseUrl === null ||
    (URL.canParse(databaseUrl) && OF_THIS_HOST.includes(new URL(databaseUrl).hostname));
  if (!isHere) return null;
  const path = join(dataDir, 'postgres');
  const fileSystem = await statfs(path).catch(() => null);
  return fileSystem === null ? null : { path, freeBytes: fileSystem.bavail * fileSystem.bsize };
}

/** Returns what conditions are measured from. */
export function conditionSources(
  platform: Platform,
  watches: StoreWatches,
  work: WorkSources,
): ConditionSources {
  const { store, queue, knowledge, clock, log, config } = platform;
  return {
    store,
    watches,
    replica: store.replica,
    evictionPolicy: () => queue.evictionPolicy(),
    knowledge,
    clock,
    log,
    stages: flow,
    services: Object.keys(config.ports),
    destinations: config.destinations.map(({ name }) => name),
    kinds: config.playbooks.map(({ name }) => name),
    providers: configuredProviders(config),
    budgets: configuredBudgets(config.settings.budgets, clock.now())
      .filter(({ key }) => isOfAllWork(key))
      .map(({ key }) => budgetName(key)),
    schedules: () => readSchedules({ store, clock, config }),
    work,
    quality: kindQuality(platform),
  };
}

function configuredProviders({
  provider,
  fallbackProviders,
  playbookProviders,
}: Platform['config']): string[] {
  const all = [provider, ...fallbackProviders, ...Object.values(playbookProviders)];
  return [...new Set(all.flatMap((one) => (one === null ? [] : [one.entry.name])))];
}

/** Returns the schedules of the configuration with their last results. */
export async function readSchedules({
  store,
  clock,
  config,
}: Pick<Platform, 'store' | 'clock' | 'config'>): Promise<ShownSchedule[]> {
  const { settings } = config;
  return shownSchedules(settings, await store.schedules.states(), clock.now());
}
