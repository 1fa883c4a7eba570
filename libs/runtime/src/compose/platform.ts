import {
  type AlertInput,
  type CaseStore,
  type Clock,
  type Embedder,
  type Ids,
  type InstallationSource,
  type LanguageModel,
  type Logger,
  type Queue,
  type RunSettings,
  sleep,
  type Telemetry,
  type TextReader,
  type ToolBox,
  type ToolRunner,
  type VerdictMessage,
} from '@casefile/contracts';
import type { Knowledge } from '@casefile/knowledge';
import { maskJson, maskSecrets } from '@casefile/masking';
import {
  checkFlow,
  checkPlaybooks,
  flow as shippedFlow,
  type Playbook,
  type Stage,
} from '@casefile/pipeline';
import type { BullMqServer, HttpHandler } from '@casefile/queue';
import type { Sdk } from '@casefile/telemetry';
import type { Config } from '../config/read-config.js';
import {
  type CircuitLimits,
  type ExecutorPorts,
  nudgeBestEffort,
  Outbox,
  plainModel,
  ProviderCircuits,
  ProviderLimiter,
  Recordings,
  RetryBudget,
  routeOver,
  StageExecutor,
  StoredPrompts,
  Sweeper,
  ToolExecutor,
  type VerdictRouter,
  writeIterations,
} from '@casefile/engine';
import { Rerun } from '../rerun/rerun.js';
import { SenderBudgets } from '../access/sender-budgets.js';
import { Intake } from '../intake/intake.js';
import type { ModelPool } from './model-pool.js';
import { reservedSources } from '../intake/formats/index.js';
import { sweeperChores } from './sweeper-chores.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import {
  describeInstallation,
  installationIn,
  ownInstallation,
} from '../installation/describe-installation.js';
import type { OwnDatabase } from './open-database.js';
import type { CallSettings } from '../config/call-settings.js';
import { maskedModel } from '../masking/masked-model.js';
import { applyRollout } from '../rollout/apply-rollout.js';
import { ArmAssignment } from '../rollout/assign-arm.js';
import { ChosenVersions } from '../rollout/chosen-versions.js';
import { NO_ROLLOUT, type RolloutSource } from '../rollout/rollout-copy.js';

/** External parts of the platform: real adapters, or those of a test. */
export interface Adapters {
  config: Config;
  store: CaseStore;
  knowledge: Knowledge;
  queue: Queue;
  model: LanguageModel | null;
  /** All models of this process. Used only if `model` comes from this pool and was not replaced. */
  models?: ModelPool;
  /** Source of the settings that new runs are frozen from. Default: this process's own configuration. */
  installation?: InstallationSource;
  /** Source of rolled-out changes that new runs are frozen with. Default: no changes. */
  rollout?: RolloutSource;
  /** Whether this process delivers verdicts. Default: true. */
  delivers?: boolean;
  /** Writes deliveries to destinations. Default: this process has none. */
  destinations?: VerdictRouter;
  tools: ToolBox;
  runner: ToolRunner;
  reader: TextReader;
  /** Computes the vectors for semantic search in knowledge bases. */
  embedder: Embedder;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
  sdk: Sdk;
  /** The embedded database, if this process holds it. Default: the database runs elsewhere. */
  ownDatabase?: OwnDatabase;
  queueServer(): BullMqServer;
  /**
   * Called with the delay of the event loop, in milliseconds, so that bulk work yields. Default: no bulk
   * work.
   */
  sawLag?: (ms: number) => void;
  /** The queue board as an Express handler. */
  board(basePath: string): HttpHandler;
  /** Stages with the names and services of the shipped flow. Default: the shipped flow. */
  flow?: readonly Stage[];
}

/** Parts shared by the services of one process. */
export interface Platform extends Adapters {
  installation: InstallationSource;
  rollout: RolloutSource;
  stages: StageExecutor;
  toolCalls: ToolExecutor;
  intake: Intake;
  sweeper: Sweeper;
  rerun: Rerun;
  /**
   * Wire names of the tools. Local tools have a queue too: calls from before a tool became local may wait
   * there.
   */
  toolNames: string[];
}

/**
 * Assembles the parts and checks the flow and the parts that each playbook needs.
 * @param change Changes the settings of every new run.
 * @throws CasefileError that states what to fix.
 */
export function assemble(
  adapters: Adapters,
  change: (settings: RunSettings) => RunSettings = (settings) => settings,
): Platform {
  const { config, store, queue, tools, log, telemetry, clock, ids, flow = shippedFlow } = adapters;
  const { playbooks } = config;
  const toolNames = [...tools.allowed.keys()];
  checkFlow(flow);
  checkPlaybooks({ playbooks, tools: toolNames });
  const { installation = ownInstallation(config), rollout = NO_ROLLOUT } = adapters;
  for (const playbook of playbooks)
    playbook.options.check(freezeSettings(playbook, describeInstallation(config)).options);
  const outbox = new Outbox({
    store,
    queue,
    clock,
    log,
    telemetry,
    playbooks,
    ...(adapters.destinations === undefined ? {} : { destinations: adapters.destinations }),
    key: config.env.CASEFILE_VERDICT_KEY ?? null,
  });
  const iterations = { record: store.record, playbooks, log, folder: config.settings.delivery.iterations };
  const nudge = nudgeBestEffort(queue, log);
  const { lease, intake, handOn } = config.settings;
  const limits = {
    leaseMs: lease.seconds * 1000,
    maxCrashes: lease.maxCrashes,
    crashWindowMs: lease.crashWindowHours * 3_600_000,
    deadlinePauseMs: lease.deadlinePauseMs,
    handOnDirectly: handOn === 'direct',
  };
  const executorPorts = {
    ...adapters,
    nudge,
    ...modelCalls(adapters),
    recordings: new Recordings(store.record),
    playbooks,
    prompts: config.prompts,
    storedPrompts: new StoredPrompts(store.prompts, config.prompts),
    modelFeatures: { masking: maskedModel },
    withoutSecrets: async (text: string) => (await maskSecrets(text)).text,
    deliver: async (message: VerdictMessage) => {
      await outbox.deliver(message);
      await writeIterations(iterations, message);
    },
  };
  const settingsOf = (playbook: Playbook, alert: AlertInput) =>
    change(applyRollout(freezeSettings(playbook, installationIn(installation), alert), rollout.current()));
  const stages = new StageExecutor(flow, executorPorts, limits);
  const rerun = new Rerun({
    store,
    nudge,
    playbooks,
    settingsOf,
    versions: new ChosenVersions({ store, installed: config.prompts.installed }),
    providers: () => installationIn(installation).providers,
    firstStage: firstOf(flow),
    ids,
  });
  const alerts = new Intake(
    {
      store,
      nudge,
      playbooks,
      settingsOf,
      firstStage: firstOf(flow),
      acceptAndRun: stages.acceptAndRun.bind(stages),
      arms: new ArmAssignment({
        rollout,
        providers: () => installationIn(installation).providers.map(({ name }) => name),
        log,
        domain: `casefile.${ids.id()}`,
      }),
      senderBudgets: new SenderBudgets({ keys: store.keys, clock, telemetry }),
      clock,
      ids,
      telemetry,
      mask: maskJson,
    },
    {
      maxBacklog: intake.maxBacklog,
      retryAfterMs: intake.retryAfterSeconds * 1000,
      fingerprintKey: config.env.CASEFILE_FINGERPRINT_KEY ?? 'casefile-fingerprint',
      closesResolved: intake.resolved === 'close',
      reservedSources: reservedSources(config),
      bounds: intake,
      playbookBy: intake.playbookBy,
    },
  );
  return {
    ...adapters,
    installation,
    rollout,
    stages,
    toolCalls: new ToolExecutor(executorPorts, limits.leaseMs),
    intake: alerts,
    sweeper: new Sweeper({
      store,
      queue,
      outbox: adapters.delivers === false ? null : outbox,
      chores: sweeperChores(adapters, {
        playbooks,
        rollout,
        rerun,
        intake: alerts,
        providers: () => installationIn(installation).providers.map(({ name }) => name),
        settingsOf,
        firstStage: firstOf(flow),
        nudge,
      }),
      log,
      telemetry,
    }),
    rerun,
    toolNames,
  };
}

function firstOf([first]: readonly Stage[]): string {
  if (first === undefined) throw new Error('the flow is empty');
  return first.name;
}

const REFRESH_MS = 1_000;
const PROBE_MS = 30_000;

/** Returns what the executor needs to call models: the models of a run, and the ports shared by all calls. */
function modelCalls(adapters: Adapters): Pick<ExecutorPorts, 'routeOf' | 'calls'> {
  const { config, store, clock, log, ids } = adapters;
  const { calls, budgets } = config.settings;
  const { attempts, firstWaitMs, longestWaitMs } = calls;
  const circuits = new ProviderCircuits({ providers: store.providers, clock, log }, circuitLimits(calls));
  const retries = () => new RetryBudget(clock, { share: calls.retryShare, reserve: calls.retryReserve });
  return {
    routeOf: routeByPlaybook(adapters),
    calls: {
      circuits,
      ofShadow: { circuits: circuits.uncounted(), retries: retries() },
      limiter: new ProviderLimiter({ providers: store.providers, clock, log, holder: ids.id(), sleep }),
      attempts: { attempts, firstWaitMs, longestWaitMs },
      retries: retries(),
      budgets,
      batchBudget: (batchId) => store.batches.budget(batchId),
      sleep,
    },
  };
}

function routeByPlaybook({ model, models, config }: Adapters): ExecutorPorts['routeOf'] {
  const { provider } = config;
  const own = provider === null ? null : models?.model(provider.entry.name, provider.entry.model);
  // Each run uses the provider and models that it was frozen with, even if the current configuration names
  // none.
  if (models !== undefined && (own?.model ?? null) === model) return (settings) => models.routeOf(settings);
  const route = model === null ? null : routeOver(plainModel(model));
  return (settings: RunSettings) => (settings.provider === 'none' ? null : route);
}

function circuitLimits({ circuit }: CallSettings): CircuitLimits {
  return {
    openAfter: circuit.openAfter,
    openMs: circuit.openSeconds * 1000,
    pauseMs: circuit.pauseSeconds * 1000,
    maxOpenMs: circuit.longestSeconds * 1000,
    probeMs: PROBE_MS,
    refreshMs: REFRESH_MS,
  };
}
