import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleWith } from '@casefile/console/console';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { ingest } from '@casefile/ingest/ingest';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { reasoner } from '@casefile/reasoner/reasoner';
import { launch, readConfig, type RunningProcess } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { inlineQueues } from './inline-queues.js';
import { systemDatabase } from './system-database.js';
import { fiveServices, postAccepted, type FiveServices, type FiveServicesOptions } from './five-services.js';
import { testEnvironment } from './world.js';

/** All six services in the process of the test, as `casefile up` launches them. */
export interface LaunchedServices extends Pick<
  FiveServices,
  'simulator' | 'store' | 'databaseUrl' | 'queueUrl' | 'folder' | 'post' | 'alert' | 'stop' | 'close'
> {
  /** URL of a service. */
  service(name: string): { readonly url: string };
}

/** Services to test: in this process, or in processes that can be killed. */
export interface SystemUnderTest extends LaunchedServices {
  /** Kills the process of these services and starts it again; null: they are in this process. */
  crash: (() => Promise<void>) | null;
}

/** As `LaunchedServices`, with what the process is made of. */
export interface Launched extends LaunchedServices {
  platform: RunningProcess['platform'];
}

/** How a suite starts its services, with these settings. */
export type StartSystem = (options: SystemOptions) => Promise<SystemUnderTest>;

interface SystemOptions extends Pick<
  FiveServicesOptions,
  'answer' | 'script' | 'settings' | 'env' | 'queueUrl'
> {
  /** The queue is on Postgres also if all services are in this process. */
  queueIsStored?: boolean;
}

/** Starts all services in this process. */
export const inThisProcess: StartSystem = async (options) => ({
  ...(await launchedServices(options)),
  crash: null,
});

/** Starts all services in a process of their own, which a suite can kill. */
export const inOneProcess: StartSystem = async (options) => {
  const system = await fiveServices({ ...options, services: 'one process' });
  await system.start();
  const [host] = system.services;
  return {
    ...system,
    crash: async () => {
      await host!.signal('SIGKILL');
      await Promise.all(system.services.map((service) => service.start()));
    },
  };
};

/**
 * Launches all services in this process, with a queue in this process unless the options name another. Use `fiveServices` where a process is the subject: one that is killed, or
 * that shares nothing with another one.
 */
export async function launchedServices(
  options: SystemOptions & {
    /** Default: a console without pages. */
    console?: ReturnType<typeof consoleWith>;
  } = {},
): Promise<Launched> {
  const database = await systemDatabase();
  const queueUrl = options.queueUrl ?? database.url;
  const folder = temporaryFolder('launched');
  const settings = join(folder, 'config.yaml');
  // JSON is YAML too.
  writeFileSync(settings, JSON.stringify(options.settings ?? {}));
  const simulator = await startSimulator({ script: options.script, answer: options.answer });
  const env = testEnvironment({
    DATABASE_URL: database.url,
    QUEUE_URL: queueUrl,
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_DATA: folder,
    HOST: '127.0.0.1',
    ...options.env?.(simulator),
    CASEFILE_CONFIG: settings,
  });
  const definitions = [
    ingest,
    evidenceCollector,
    reasoner,
    criticWriter,
    decision,
    options.console ?? consoleWith({ dashboard: '/nowhere' }),
  ];
  let running: RunningProcess;
  try {
    const isStored = options.queueIsStored === true || options.queueUrl !== undefined;
    const queues = isStored ? {} : { openQueues: inlineQueues };
    running = await launch(definitions, readConfig(env, kinds), queues);
  } catch (error) {
    await simulator.close();
    await database.drop();
    throw error;
  }
  const service = (name: string): { readonly url: string } => {
    const at = definitions.findIndex((one) => one.name === name);
    const found = running.services[at];
    if (found === undefined) throw new Error(`there is no service ${name}`);
    return { url: new URL(found.url).origin };
  };
  const post = (path: string, body: object) => postAccepted(`${service('ingest').url}${path}`, body);
  return {
    platform: running.platform,
    simulator,
    store: running.platform.store as PostgresStore,
    databaseUrl: database.url,
    queueUrl,
    folder,
    service,
    post,
    alert: async (body) => ((await post('/v1/alerts', body)) as { caseId: string }).caseId,
    stop: () => running.stop(),
    close: async () => {
      await running.stop();
      await simulator.close();
      await database.drop();
    },
  };
}
