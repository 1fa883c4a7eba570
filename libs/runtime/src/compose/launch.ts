import type { Logger } from '@casefile/contracts';
import { loadConfig, type Config } from '../config/read-config.js';
import { claimPort } from '../nest/claim-port.js';
import { startService, type RunningService, type ServiceDefinition } from '../nest/service.js';
import { Heartbeat } from '../installation/heartbeat.js';
import { NO_PROBES, probeConfigured, type ModelProbes } from './configured-probes.js';
import { connect, CONNECTS_TOOLS, type ConnectOptions } from './connect.js';
import { watchEventLoop } from './event-loop.js';
import { boundHeapGrowth } from './heap-growth.js';
import { assemble, type Adapters, type Platform } from './platform.js';
import { SettingsCopy } from '../installation/settings-copy.js';
import type { ModelPool } from './model-pool.js';
import { importStartingSet } from './starting-set.js';
import { warmTools } from './warm-tools.js';
import { STOP_WITHIN_MS, stopServicesInTime } from './shutdown.js';
import { closeAtEnd, endInOrder, endProcess, isEnding, signalsEndWith, thrownText } from '../process-end.js';
import { ConditionWatch } from '../conditions/condition-watch.js';
import { OutageNotices } from '../conditions/outage-notices.js';
import { openHeartbeat } from '../conditions/outside-heartbeat.js';
import { stateReaders } from '../conditions/state-readers.js';
import type { DestinationSender } from '../destinations/destination-sender.js';
import { openDestinations } from '../destinations/open-destinations.js';
import { importPorts } from './knowledge.js';
import { FeedWorker } from '../schedules/feed-worker.js';
import { AlertmanagerReader } from '../silences/alertmanager-reader.js';
import { ImportWorker } from '../imports/import-worker.js';

/** The service that has the keys of models, and whose network may reach them. */
const CALLS_MODELS = 'reasoner';

/**
 * The service that has the signing key of verdicts. Only this service sends verdicts, and only its processes sweep and
 * do chores, so that no other service needs the rights for them.
 */
const DELIVERS = 'decision';

export interface RunningProcess {
  platform: Platform;
  services: RunningService[];
  /** Results of probing the configured models, if this process calls them. */
  probes: ModelProbes;
  /** Stops in order; safe to call twice. */
  stop(): Promise<void>;
}

/** Starts these services in this process, with shared connections. @throws CasefileError `port_in_use`. */
export async function launch(
  definitions: ServiceDefinition[],
  given?: Config,
  options: ConnectOptions = {},
): Promise<RunningProcess> {
  const config = given ?? (await loadConfig());
  boundHeapGrowth();
  // Runs before anything is opened. If an earlier service is still stopping, this waits until its port is
  // free.
  for (const { name } of definitions) await claimPort(config.ports[name], config.host);
  const { adapters, pool, gate, close } = await connect(
    config,
    definitions.map((definition) => definition.name),
    options,
  );
  const settings = new SettingsCopy({ ...adapters, settings: adapters.store.settings });
  let forget = () => undefined as void;
  try {
    const probes = definitions.some(({ name }) => name === CALLS_MODELS)
      ? probeConfigured(config, adapters.clock, adapters.log, pool.refusals)
      : NO_PROBES;
    const names = definitions.map(({ name }) => name);
    const runsImports = definitions.some((one) => one.runsImports === true);
    const heartbeat = new Heartbeat(names, { ...adapters, probes, settings });
    const delivers = names.includes(DELIVERS);
    const destinations = delivers ? openDestinations(adapters, () => settings.shared().destinations) : null;
    const platform = assemble(adapters, {
      installation: heartbeat.installation,
      rollout: settings,
      ...(destinations === null ? {} : { destinations }),
    });
    const watch = destinations === null ? null : conditionWatch(platform, destinations);
    // Runs before anything listens, so that the first message is already compared with the patterns.
    if (runsImports) await importStartingSet(adapters);
    // Runs before anything listens, because new runs are frozen from the installation and the shared settings.
    await heartbeat.start();
    await settings.start();
    // Runs before anything listens, so that no message waits for what the process loads once.
    if (names.includes(CONNECTS_TOOLS)) {
      const used = config.playbooks.flatMap((playbook) => playbook.tools);
      await warmTools(used, adapters.tools, adapters.log);
    }
    const services: RunningService[] = [];
    const { underWay } = platform.stages;
    const unwatch = watchEventLoop({ ...adapters, underWay, sawLag: (ms) => gate.sawLag(ms) });
    const imports = runsImports ? importWorker(adapters, pool) : null;
    const feeds = runsImports ? feedWorker(adapters, pool) : null;
    const alertmanager = runsImports ? alertmanagerReader(adapters) : null;
    let stopping: Promise<void> | null = null;
    const stop = () => {
      forget();
      return (stopping ??= Promise.all([
        stopServicesInTime(services, platform),
        imports?.stop(),
        feeds?.stop(),
        alertmanager?.stop(),
      ])
        .then(() => undefined)
        .finally(unwatch)
        .finally(() => watch?.stop())
        .finally(() => destinations?.stop())
        .finally(() => heartbeat.stop())
        .finally(() => settings.stop())
        .finally(close));
    };
    // Set before the first service starts, so that an interrupted start stops the services that are already
    // running.
    forget = closeAtEnd(stop, STOP_WITHIN_MS);
    for (const definition of definitions) services.push(await startService(definition, platform));
    if (!isEnding()) {
      if (delivers) platform.sweeper.start();
      destinations?.start();
      watch?.start();
      imports?.start();
      feeds?.start();
      alertmanager?.start();
    }
    return { platform, services, probes, stop };
  } catch (error) {
    forget();
    await settings.stop();
    await close();
    throw error;
  }
}

function conditionWatch(platform: Platform, destinations: DestinationSender): ConditionWatch {
  const { state, watches } = stateReaders(platform);
  const { databaseUrl, queueUrl } = platform.config;
  return new ConditionWatch({
    ...platform,
    destinations: () => destinations.destinations(),
    outage: () => watches.store.check(),
    outages: new OutageNotices({
      ...platform,
      attempt: (...given) => destinations.attempt(...given),
      settle: (end) => destinations.settle(end),
      queueIsDatabase: queueUrl === null || queueUrl === databaseUrl,
    }),
    state,
    answerWithinHours: platform.config.settings.reviews.answerWithinHours,
    heartbeat: openHeartbeat(platform),
    auditHead: platform.config.settings.delivery.auditHead,
    wake: () => destinations.wake(),
  });
}

function importWorker(adapters: Adapters, pool: ModelPool): ImportWorker {
  const { store, changes, log } = adapters;
  return new ImportWorker({ imports: store.imports, ports: importPorts(adapters, pool), changes, log });
}

function feedWorker(adapters: Adapters, pool: ModelPool): FeedWorker {
  const { feeds } = adapters.config.outside();
  return new FeedWorker({ ...adapters, feeds, ports: importPorts(adapters, pool) });
}

/** Returns the reader of the silences of Alertmanager; null: none is configured. */
function alertmanagerReader(adapters: Adapters): AlertmanagerReader | null {
  const { alertmanager } = adapters.config.outside();
  return alertmanager === null ? null : new AlertmanagerReader({ ...adapters, alertmanager });
}

/**
 * Main function of a service: starts it, reports why it cannot start, and stops it in order on a signal or
 * when its launcher has ended. Exit code 0: it stopped in order.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  endInOrder();
  signalsEndWith(0);
  try {
    const running = await launch([definition]);
    endOnUncaught(running.platform.log);
    running.platform.log.info({ url: running.services[0]?.url }, `${definition.name} is ready`);
  } catch (thrown) {
    // An error caused by the stop itself is not reported.
    if (!isEnding()) process.stderr.write(`casefile: ${thrownText(thrown)}\n`);
    await endProcess(1);
  }
}

/**
 * Logs an uncaught error and ends the process in order. The process may be in an inconsistent state, and
 * another process can continue its work from the record. A second uncaught error ends the process
 * immediately.
 */
export function endOnUncaught(log: Logger): void {
  let isSecond = false;
  const handle = (kind: string) => (thrown: unknown) => {
    log.error({ error: thrown, kind }, 'nothing caught this: the process stops');
    if (isSecond) process.exit(1);
    isSecond = true;
    void endProcess(1);
  };
  process.on('uncaughtException', handle('exception'));
  process.on('unhandledRejection', handle('rejection'));
}
