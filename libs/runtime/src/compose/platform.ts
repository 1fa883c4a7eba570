import {
  type AlertInput,
  type CaseStore,
  type ChangeSource,
  type Clock,
  type Embedder,
  type Ids,
  type InstallationSource,
  type Logger,
  type Queue,
  type RunSettings,
  sleep,
  type Telemetry,
  type TextReader,
  type ToolBox,
  type ToolRunner,
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
import type { HttpHandler, QueueServer } from '@casefile/queue';
import type { Sdk } from '@casefile/telemetry';
import { systemStandstill } from './standstill.js';
import type { Config } from '../config/read-config.js';
import {
  type CircuitLimits,
  type ExecutorPorts,
  Nudger,
  Outbox,
  ProviderCircuits,
  ProviderLimiter,
  Recordings,
  RetryBudget,
  type RunModels,
  StageExecutor,
  StoredPrompts,
  Sweeper,
  ToolExecutor,
  type VerdictRouter,
} from '@casefile/engine';
import { Rerun } from '../rerun/rerun.js';
import { SenderBudgets } from '../access/sender-budgets.js';
import { Intake } from '../intake/intake.js';
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
import { takenVerdict } from '../storms/taken-verdict.js';
import { applyRollout } from '../rollout/apply-rollout.js';
import { ArmAssignment } from '../rollout/assign-arm.js';
import { ChosenVersions } from '../rollout/chosen-versions.js';
import { NO_ROLLOUT, type RolloutSource } from '../rollout/rollout-copy.js';

/** External parts of the platform, which a test may replace. */
export interface Adapters {
  config: Config;
  store: CaseStore;
  /** Notifications of the store. */
  changes: ChangeSource;
  knowledge: Knowledge;
  queue: Queue;
  /** The models that runs may call: a pool, or one model for all runs. */
  models: RunModels;
  tools: ToolBox;
  runner: ToolRunner;
  reader: TextReader;
  /** Computes the vectors for semantic search in knowledge bases. */
  embedder: Embedder;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
  server: ServerParts;
}

/** Parts that the services of a process show or listen with. */
export interface ServerParts {
  sdk: Pick<Sdk, 'prometheusText'>;
  /** The embedded database; null: it runs in another process. */
  ownDatabase: OwnDatabase | null;
  /** Returns the workers of the queues. They pass jobs to the handlers of their topics. */
  queueWorkers(): QueueServer;
  /** The queue board as an Express handler. */
  board(basePath: string): HttpHandler;
}

/** Part that this process has in an installation. */
export interface Role {
  /** Source of the settings that new runs are frozen from. Default: this process's own configuration. */
  installation?: InstallationSource;
  /** Source of rolled-out changes that new runs are frozen with. Default: no changes. */
  rollout?: RolloutSource;
  /** Writes deliveries to destinations. Default: this process has none. */
  destinations?: VerdictRouter;
  /** Stages with the names and services of the shipped flow. Default: the shipped flow. */
  flow?: readonly Stage[];
  /** Changes the settings of every new run. Default: it changes nothing. */
  change?(settings: RunSettings): RunSettings;
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
 * @throws CasefileError that states what to fix.
 */
export function assemble(adapters: Adapters, role: Role = {}): Platform {
  const { config, store, queue, tools, log, telemetry, clock, ids } = adapters;
  const { installation = ownInstallation(config), rollout = NO_ROLLOUT, flow = shippedFlow } = role;
  const { playbooks } = config;
  const toolNames = [...tools.allowed.keys()];
  checkFlow(flow);
  checkPlaybooks({ playbooks, tools: toolNames });
  for (const playbook of playbooks)
    playbook.options.check(freezeSettings(playbook, describeInstallation(config)).options);
  const outbox = new Outbox({
    store,
    queue,
    clock,
    log,
    telemetry,
    playbooks,
    ...(role.destinations === undefined ? {} : { destinations: role.destinations }),
    key: config.env.CASEFILE_VERDICT_KEY ?? null,
  });
  const nudger = new Nudger(queue, log);
  const { lease, intake, handOn } = config.settings;
  const limits = {
    leaseMs: lease.seconds * 1000,
    maxCrashes: lease.maxCrashes,
    crashWindowMs: lease.crashWindowHours * 3_600_000,
    deadlinePauseMs: lease.deadlinePauseMs,
    handOnDirectly: handOn === 'direct',
  };
  const executorPorts: ExecutorPorts = {
    ...adapters,
    nudger,
    outbox,
    takenVerdict: (work) => takenVerdict({ store, clock }, work),
    iterations: config.settings.delivery.iterations,
    calls: sharedCalls(adapters),
    recordings: new Recordings(store.record),
    playbooks,
    storedPrompts: new StoredPrompts(store.prompts, config.prompts),
    modelFeatures: { masking: maskedModel },
    withoutSecrets: async (text: string) => (await maskSecrets(text)).text,
  };
  const settingsOf = (playbook: Playbook, alert: AlertInput) => {
    const frozen = freezeSettings(playbook, installationIn(installation), alert);
    const settings = applyRollout(frozen, rollout.current());
    return role.change?.(settings) ?? settings;
  };
  const stages = new StageExecutor(flow, executorPorts, limits);
  const rerun = new Rerun({
    store,
    nudger,
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
      nudger,
      queue,
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
      correlation: config.settings.correlation,
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
    toolCalls: new ToolExecutor({ ...executorPorts, prompts: config.prompts }, limits.leaseMs),
    intake: alerts,
    sweeper: new Sweeper({
      ...adapters,
      queue,
      outbox,
      chores: sweeperChores(adapters, {
        playbooks,
        rollout,
        rerun,
        intake: alerts,
        providers: () => installationIn(installation).providers.map(({ name }) => name),
        settingsOf,
        firstStage: firstOf(flow),
        nudger,
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

/** Returns the ports that all model calls share. */
function sharedCalls({ config, store, clock, log, ids }: Adapters): ExecutorPorts['calls'] {
  const { calls, budgets } = config.settings;
  const { attempts, firstWaitMs, longestWaitMs } = calls;
  const circuits = new ProviderCircuits({ providers: store.providers, clock, log }, circuitLimits(calls));
  const retries = () => new RetryBudget(clock, { share: calls.retryShare, reserve: calls.retryReserve });
  return {
    circuits,
    ofShadow: { circuits: circuits.uncounted(), retries: retries() },
    limiter: new ProviderLimiter({ providers: store.providers, clock, log, holder: ids.id(), sleep }),
    standstill: systemStandstill,
    attempts: { attempts, firstWaitMs, longestWaitMs },
    retries: retries(),
    budgets,
    batchBudget: (batchId) => store.batches.budget(batchId),
    sleep,
  };
}

/** Fewer failed attempts of one call prove no outage. */
const FEWEST_USED_UP = 3;
/** Consecutive failures that open a circuit, unless a setting names another number. */
const OPEN_AFTER = 10;

function circuitLimits({ circuit, attempts }: CallSettings): CircuitLimits {
  return {
    openAfter: circuit.openAfter ?? OPEN_AFTER,
    usedUpAfter: circuit.openAfter === undefined ? Math.max(attempts, FEWEST_USED_UP) : null,
    openMs: circuit.openSeconds * 1000,
    pauseMs: circuit.pauseSeconds * 1000,
    maxOpenMs: circuit.longestSeconds * 1000,
    probeMs: PROBE_MS,
    refreshMs: REFRESH_MS,
  };
}
