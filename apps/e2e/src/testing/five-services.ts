import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator, type SimulatorOptions } from '@casefile/llm-simulator/simulator';
import type { ServiceName } from '@casefile/runtime';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { systemDatabaseWithRoles } from './database-roles.js';
import { systemDatabase } from './system-database.js';
import {
  serviceProcesses,
  servicesInOneProcess,
  type ProcessSettings,
  type ServiceProcess,
} from './service-processes.js';

export const FIVE_SERVICES = [
  'ingest',
  'evidence-collector',
  'reasoner',
  'critic-writer',
  'decision',
] as const;

export interface FiveServicesOptions extends Pick<SimulatorOptions, 'answer' | 'script'> {
  /** Settings merged into the shipped configuration. */
  settings?: object;
  /** Variables of the services, for example for the address of the model. */
  env?: (simulator: Simulator) => Record<string, string>;
  /** Variables of one service, for example for its own database role. */
  envOf?: ProcessSettings['envOf'];
  /**
   * Services with a process each. Default: each of the five once. `one process`: all six services in one process,
   * for tests that need a process but no certain layout.
   */
  services?: readonly ServiceName[] | 'one process';
  /**
   * Default: a new database, which is dropped at the end. Services with a process each use it under a role each, and
   * `close` fails if one lacked a right.
   */
  databaseUrl?: string;
  /** Default: the queue is in the database. */
  queueUrl?: string;
  /** Options of Node for the services. Default: none. */
  execArgv?: string[];
  /** Folder for the settings, data and log of the services. Default: a new folder. */
  folder?: string;
}

/** Services as separate processes, the simulator that is their model, and the store that they write to. */
export interface FiveServices {
  services: ServiceProcess[];
  simulator: Simulator;
  store: PostgresStore;
  databaseUrl: string;
  queueUrl: string;
  folder: string;
  configFile: string;
  /** Log file of all services. */
  logFile: string;
  /** The first process of a service. */
  service(name: ServiceName): ServiceProcess;
  /** Starts them and waits until they are ready. */
  start(): Promise<void>;
  /** Posts to intake as a sender does: with a key, and again until it is accepted. Resolves to the response's body. */
  post(path: string, body: object): Promise<unknown>;
  /** Posts an alert. Resolves to the id of its case. */
  alert(body: object): Promise<string>;
  /** Ends the services in order. */
  stop(): Promise<void>;
  /** Kills all running processes, and removes all files. */
  close(): Promise<void>;
}

/** Prepares a simulator, a store and the processes of the five services; `start` starts them. */
export async function fiveServices(options: FiveServicesOptions = {}): Promise<FiveServices> {
  const { services: names = FIVE_SERVICES } = options;
  const database = options.databaseUrl === undefined ? await ownDatabase(names) : null;
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const queueUrl = options.queueUrl ?? databaseUrl;
  const folder = options.folder ?? temporaryFolder('services');
  const [config, logFile] = [join(folder, 'config.yaml'), join(folder, 'services.log')];
  writeFileSync(config, JSON.stringify(options.settings ?? {}));
  const simulator = await startSimulator({ script: options.script, answer: options.answer });
  const store = createPostgresStore({ databaseUrl, poolSize: 2, connectTimeoutMs: 60_000 });
  const settings = {
    databaseUrl,
    queueUrl,
    logFile,
    execArgv: options.execArgv ?? [],
    envOf: options.envOf ?? database?.envOf,
    env: {
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: simulator.baseUrl,
      CASEFILE_CONFIG: config,
      CASEFILE_DATA: folder,
      ...options.env?.(simulator),
    },
  };
  const services =
    names === 'one process'
      ? await servicesInOneProcess(settings)
      : await serviceProcesses([...names], settings);
  const service = (name: ServiceName): ServiceProcess => {
    const match = services.find((one) => one.name === name);
    if (match === undefined) throw new Error(`there is no process of ${name}`);
    return match;
  };
  const post = async (path: string, body: object): Promise<unknown> =>
    postAccepted(`${service('ingest').url}${path}`, body);
  return {
    services,
    simulator,
    store,
    databaseUrl,
    queueUrl,
    folder,
    configFile: config,
    logFile,
    service,
    start: async () => void (await Promise.all(services.map((one) => one.start()))),
    post,
    alert: async (body) => ((await post('/v1/alerts', body)) as { caseId: string }).caseId,
    stop: async () => void (await Promise.all(services.map((one) => one.signal('SIGTERM')))),
    close: async () => {
      await Promise.all(services.map((one) => one.end()));
      await simulator.close();
      await store.close();
      await database?.drop();
      const refusals = refusedRights(logFile);
      if (refusals.length > 0) throw new Error(`a service lacked a right: ${refusals[0]}`);
    },
  };
}

/** The environment of services with a process each has the address of their role. */
async function ownDatabase(names: readonly ServiceName[] | 'one process') {
  if (names === 'one process') return { ...(await systemDatabase()), envOf: undefined };
  const { url, urlOf, drop } = await systemDatabaseWithRoles();
  return { url, drop, envOf: (service: ServiceName) => ({ DATABASE_URL: urlOf(service) }) };
}

/** Returns the lines of a log in which Postgres refused a right to a service. */
function refusedRights(logFile: string): string[] {
  if (!existsSync(logFile)) return [];
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => /permission denied for|must be owner of/.test(line));
}

/**
 * Posts to intake until it accepts. Intake answers 503 while it is too busy. Resolves to the body of the answer.
 * @throws Error for any other status than 202.
 */
export async function postAccepted(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  let answer: unknown;
  await until('the alert is accepted', async () => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status === 503) return false;
    if (response.status !== 202) throw new Error(`${url} answered ${response.status}: ${text}`);
    answer = JSON.parse(text);
    return true;
  });
  return answer;
}
