import type {
  Budgets,
  BudgetState,
  CaseReader,
  Clock,
  LaneFigures,
  PipelineFigures,
  PipelineView,
  Processes,
  ProcessState,
  Providers,
  ProviderState,
  QueueDepth,
  Runs,
  WorkDone,
} from '@casefile/contracts';
import { cachedFor, MICROS } from '@casefile/contracts';
import { configuredBudgets } from '@casefile/engine';
import { queueName, toolTopic } from '@casefile/queue';
import type { Config } from '../config/read-config.js';
import type { QueueReading } from './queue-reader.js';

/** Age at which a view is read again, in milliseconds. */
const FRESH_MS = 1_000;
/** Maximum number of budget windows in the view, most recently changed first. */
const BUDGETS_SHOWN = 50;

export interface PipelineSources {
  store: {
    budgets: Pick<Budgets, 'states'>;
    record: Pick<CaseReader, 'pipelineFigures' | 'roundFigures'>;
    runs: Pick<Runs, 'backlog'>;
    providers: Pick<Providers, 'states'>;
    processes: Pick<Processes, 'list'>;
  };
  /** Reads the depths of the queues. */
  queues: () => Promise<QueueReading>;
  clock: Clock;
  /** In the order of the flow. */
  stages: readonly { name: string; app: string }[];
  toolNames: readonly string[];
  /** Kinds that work in rounds. Default: none. */
  inRounds?: readonly string[];
  budgets: Config['settings']['budgets'];
}

/** Reads queues and record at most once a second, however many clients ask, and less often if a read takes long. */
export function pipelineView(sources: PipelineSources): () => Promise<PipelineView> {
  return cachedFor(FRESH_MS, () => lookAt(sources));
}

async function lookAt({
  store,
  queues,
  clock,
  stages,
  toolNames,
  ...sources
}: PipelineSources): Promise<PipelineView> {
  const configured = configuredBudgets(sources.budgets, clock.now());
  const reads = [
    queues(),
    store.record.pipelineFigures(),
    store.record.roundFigures(sources.inRounds ?? []),
    store.runs.backlog(),
    store.providers.states(),
    store.processes.list(),
    store.budgets.states(BUDGETS_SHOWN, configured),
  ] as const;
  // If one fails, the next view is not read beside the others.
  await Promise.allSettled(reads);
  const [{ depths, outage: queueOutage }, figures, rounds, backlog, providers, processes, budgets] =
    await Promise.all(reads);
  const now = clock.now();
  const probes = processProbes(processes);
  return {
    stages: stages.map(({ name, app }) => ({
      stage: name,
      app,
      lanes: topicLanes(name, depths, workDoneWork(figures.stages, name), heldAt(figures, name)),
    })),
    tools: toolNames.map((tool) => ({
      tool,
      lanes: topicLanes(toolTopic(tool), depths, workDoneWork(figures.tools, tool)),
    })),
    models: figures.models,
    verdicts: figures.verdicts,
    ...(rounds.length === 0 ? {} : { rounds }),
    providers: providers.map((provider) => providerFigures(provider, now)),
    budgets: [...budgets.map(withSettings(configured)), ...configured.filter(isUnused(budgets))].map(
      budgetFigures,
    ),
    ...(probes.length === 0 ? {} : { probes }),
    deadLetters: figures.deadLetters,
    backlog,
    queueOutage,
    at: new Date(now).toISOString(),
  };
}

/** Returns whether the configured models answered, as the most recently started process found. */
function processProbes(processes: readonly ProcessState[]): ProcessState['probes'][number][] {
  const running = processes.filter(({ stoppedAt, probes }) => stoppedAt === null && probes.length > 0);
  const [newest] = running.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  return [...(newest?.probes ?? [])];
}

function workDoneWork(work: readonly WorkDone[], name: string): WorkDone[] {
  return work.filter((one) => one.name === name);
}

function heldAt({ held }: PipelineFigures, stage: string): PipelineFigures['held'] {
  return held.filter((one) => one.stage === stage);
}

function topicLanes(
  topic: string,
  depths: readonly QueueDepth[] | null,
  work: WorkDone[],
  held: PipelineFigures['held'] = [],
): LaneFigures[] {
  // An unused queue has no depth.
  const missing = depths === null ? null : 0;
  return (['live', 'bulk'] as const).map((lane) => {
    const depth = depths?.find((one) => one.queue === queueName(topic, lane));
    const isOf = (one: { lane: string }): boolean => (one.lane === 'live') === (lane === 'live');
    const done = work.filter(isOf);
    const waits = held.filter(isOf).reduce((total, { n }) => total + n, 0);
    const sum = (of: (one: WorkDone) => number): number => done.reduce((total, one) => total + of(one), 0);
    return {
      lane,
      waiting: depth?.waiting ?? missing,
      active: depth?.active ?? missing,
      delayed: depth?.delayed ?? missing,
      ...(waits === 0 ? {} : { held: waits }),
      oldestAgeMs: depth?.oldestMs ?? null,
      ratePerMinute: sum((one) => one.doneLastMinute),
      failuresLastHour: sum((one) => one.failedLastHour),
      notConfiguredLastHour: sum((one) => one.notConfiguredLastHour),
    };
  });
}

function providerFigures({ provider, state, reason, failures, probeInMs }: ProviderState, now: number) {
  const until = state === 'open' && probeInMs > 0 ? new Date(now + probeInMs).toISOString() : null;
  return { provider, state, reasonCode: reason, failures, until };
}

type ConfiguredBudget = ReturnType<typeof configuredBudgets>[number];

// The record gets a raised limit with the next call. The view has it as soon as the settings have it.
const withSettings =
  (configured: readonly ConfiguredBudget[]) =>
  (budget: BudgetState): BudgetState => {
    const setting = configured.find(({ key, window }) => key === budget.key && window === budget.window);
    return { ...budget, limit: Math.max(budget.limit, setting?.limit ?? 0) };
  };

// A window starts with its first charged call.
const isUnused = (used: BudgetState[]) => (budget: ConfiguredBudget) =>
  !used.some(({ key, window }) => key === budget.key && window === budget.window);

function budgetFigures(budget: ConfiguredBudget & Partial<BudgetState>) {
  const { key, window, measure, limit, spent = 0, reserved = 0 } = budget;
  const usd = (amount: number): number => (measure === 'usd' ? amount / MICROS : 0);
  return {
    key,
    window,
    measure,
    limit,
    spent,
    reserved,
    limitUsd: usd(limit),
    spentUsd: usd(spent),
    reservedUsd: usd(reserved),
  };
}
