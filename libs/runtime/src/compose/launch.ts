import { setTimeout as sleep } from 'node:timers/promises';
import { asCasefileError, CasefileError, type Logger } from '@casefile/contracts';
import { readConfig, type Config } from '../config/read-config.js';
import { startService, type RunningService, type ServiceDefinition } from '../nest/service.js';
import { Heartbeat } from '../installation/heartbeat.js';
import { NO_PROBES, probeConfigured, type ModelProbes } from '../models/configured-probes.js';
import { connect } from './connect.js';
import { watchEventLoop } from './event-loop.js';
import { boundHeapGrowth } from './heap-growth.js';
import { assemble, type Platform } from './platform.js';
import { stopServices } from './shutdown.js';

/** The service whose network may reach the models. */
const CALLS_MODELS = 'reasoner';

/** The service that has the key of verdicts, and so alone sends them. */
const DELIVERS = 'decision';

export interface RunningProcess {
  platform: Platform;
  services: RunningService[];
  /** Do the configured models answer? Asked by a process that calls them. */
  probes: ModelProbes;
  /** Ordered stop; safe to call twice. */
  stop(): Promise<void>;
}

/** Starts these services in this process, over connections they share. */
export async function launch(
  definitions: ServiceDefinition[],
  config: Config = readConfig(),
  databaseLog?: Logger,
): Promise<RunningProcess> {
  boundHeapGrowth();
  const { adapters, close } = await connect(
    config,
    definitions.map((definition) => definition.name),
    databaseLog,
  );
  try {
    const probes = definitions.some(({ name }) => name === CALLS_MODELS)
      ? probeConfigured(config, adapters.clock, adapters.log)
      : NO_PROBES;
    const names = definitions.map(({ name }) => name);
    const heartbeat = new Heartbeat(names, { ...adapters, probes });
    const platform = assemble({
      ...adapters,
      installation: heartbeat.installation,
      delivers: names.includes(DELIVERS),
    });
    // Before anything listens: what is taken in is frozen from the installation.
    await heartbeat.start();
    const services: RunningService[] = [];
    for (const definition of definitions) services.push(await startService(definition, platform));
    platform.sweeper.start();
    const unwatch = watchEventLoop({ ...adapters, underWay: platform.stages.underWay });
    let stopping: Promise<void> | null = null;
    const stop = () =>
      (stopping ??= withinTime(
        stopServices(services, platform)
          .finally(unwatch)
          .finally(() => heartbeat.stop())
          .finally(close),
      ));
    return { platform, services, probes, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A stop that takes longer has hung: Kubernetes and compose would kill the process a little later without a word. */
const STOP_WITHIN_MS = 20_000;

/** @throws CasefileError `stop_timeout` when it takes longer than a stop may. */
async function withinTime(stopping: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = sleep(STOP_WITHIN_MS, undefined, { signal: over.signal, ref: false }).then(
    () => {
      const message = `the stop was not over after ${STOP_WITHIN_MS / 1000} s: the process ends as it is; the record has everything`;
      throw new CasefileError('stop_timeout', message);
    },
    () => undefined,
  );
  await Promise.race([stopping, late]).finally(() => over.abort());
}

/** The whole of a service's `main`: starts it, stops it in order on SIGTERM or SIGINT, says plainly why it cannot start. */
export async function runService(definition: ServiceDefinition): Promise<void> {
  try {
    const running = await launch([definition]);
    running.platform.log.info({ url: running.services[0]?.url }, `${definition.name} is ready`);
    stopOnUncaught(running.platform.log, () => running.stop());
    onStopSignal(() => running.stop());
  } catch (thrown) {
    refuse(thrown);
  }
}

/** Calls `stop` once on SIGTERM or SIGINT and ends the process; a second signal ends it at once. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const handle = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => refuse(error),
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

/**
 * What nobody caught is logged with its reason, and the process stops in order: what it was at may be half done, and
 * another process goes on from the record. A second one ends it at once.
 */
export function stopOnUncaught(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const handle = (kind: string) => (thrown: unknown) => {
    log.error({ error: thrown, kind }, 'nothing caught this: the process stops');
    if (stopping) process.exit(1);
    stopping = true;
    void stop().finally(() => process.exit(1));
  };
  process.on('uncaughtException', handle('exception'));
  process.on('unhandledRejection', handle('rejection'));
}

/** Ends the process with what went wrong: a sentence for what we know, the stack for what we do not. */
export function refuse(thrown: unknown): never {
  const error = asCasefileError(thrown);
  const text = error.reasonCode === 'unexpected' && thrown instanceof Error ? thrown.stack : error.message;
  process.stderr.write(`casefile: ${text}\n`);
  process.exit(1);
}
