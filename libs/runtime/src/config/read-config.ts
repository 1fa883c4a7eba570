import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  fieldProblems,
  SOURCE_SECRET_PREFIX,
  type AddedDestination,
  type FieldProblem,
} from '@casefile/contracts';
import type { ResolvedProvider } from '@casefile/llm';
import type { Kind } from '@casefile/kit';
import { kindPrompts, type Playbook } from '@casefile/pipeline';
import { config as readDotEnv } from 'dotenv';
import type { LoadedPrompts } from '@casefile/engine';
import { readOidc, type ConfiguredOidc } from './access-settings.js';
import type { ConfiguredMcpServer } from './mcp-settings.js';
import { resolveAdded, type ActiveDestination } from './added-destinations.js';
import { readDestinations, resolveDestinations, type ConfiguredDestination } from './destination-settings.js';
import { readOptionFiles, type FileOptions } from './option-files.js';
import { readOutsideSettings, type OutsideSettings } from './outside-settings.js';
import { readPrompts } from './installed-prompts.js';
import { badConfiguration, readProviders, type ConfiguredProviders } from './read-providers.js';
import { readSettings, settingFiles } from './read-settings.js';
import { readWebhooks, readWebhookSecrets, type ConfiguredWebhook } from './webhook-settings.js';
import { environmentSchema, type Environment } from './environment-schema.js';
import { loadInstalledKinds, type InstalledKind } from '../kinds/load-kinds.js';
import { auditHeadProblems } from './audit-head-settings.js';
import { readHeartbeat, type ConfiguredHeartbeat } from './heartbeat-settings.js';
import { nameProblems } from './name-problems.js';
import { scheduleProblems } from './schedule-settings.js';
import type { SettingsFile } from './settings-schema.js';
import { readToolEnvironment } from './tool-environment.js';

export type ServiceName =
  'console' | 'ingest' | 'evidence-collector' | 'reasoner' | 'critic-writer' | 'decision';

/** All settings of a process: read once and fully validated before a socket opens. */
export interface Config {
  /** null: the embedded Postgres in `dataDir`. */
  databaseUrl: string | null;
  /** Address of the database server itself, if `databaseUrl` leads to a pooler. */
  directUrl?: string | undefined;
  /** Address of a replica from which the console reads lists, search and quality. */
  readUrl?: string | undefined;
  /** null: the database. */
  queueUrl: string | null;
  dataDir: string;
  samples: boolean;
  host: string;
  /** Names under which the services may be called, in addition to loopback names. */
  hosts: string[];
  ports: Record<ServiceName, number>;
  /** null: rules only. */
  provider: ResolvedProvider | null;
  /** Providers to use, in this order, if `provider` is unavailable. */
  fallbackProviders: ResolvedProvider[];
  /** Providers or models of playbooks that have their own. */
  playbookProviders: ConfiguredProviders['playbookProviders'];
  /** Returns the provider that cross-examines a kind; null: the kind's own models. */
  examinerFor: ConfiguredProviders['examinerFor'];
  /** Names of the provider table, in its order. */
  providerNames: ConfiguredProviders['providerNames'];
  /** Returns the provider of a name, with this model or the provider's own; null: not available here. */
  providerNamed: ConfiguredProviders['providerNamed'];
  /** Plays hand-written answers (`up --demo`). Default: off. */
  demonstration?: Demonstration;
  /** Texts of prompts: the shipped ones, or the user's that replace them. */
  prompts: LoadedPrompts;
  env: Environment;
  /** Variables of the environment that tools declare. Their forms are checked. */
  toolEnvironment: Readonly<Record<string, string | undefined>>;
  /** Secrets of data sources: variables that begin with `SOURCE_`. */
  sourceSecrets: Readonly<Record<string, string | undefined>>;
  settings: SettingsFile;
  /** MCP servers as configured: `${NAME}` is not replaced. */
  mcp: readonly ConfiguredMcpServer[];
  /** Settings of runbooks as configured: `${NAME}` is not replaced. */
  runbooks: OutsideSettings['runbooks'];
  /**
   * Returns the settings of external systems with `${NAME}` replaced, for the process that uses them.
   * @throws CasefileError `bad_configuration` that names each unset variable.
   */
  outside(): OutsideSettings;
  /** Senders with their own URL. */
  webhooks: readonly ConfiguredWebhook[];
  /**
   * Returns secrets by webhook name, for the process that receives the webhooks' posts.
   * @param only Limits the result to this webhook.
   * @throws CasefileError `bad_configuration` that names each variable that is not set or too short.
   */
  webhookSecrets(only?: string): ReadonlyMap<string, string>;
  /** Destinations as configured: `${NAME}` is not replaced. */
  destinations: readonly ConfiguredDestination[];
  /**
   * Returns the destinations with `${NAME}` replaced, for the process that sends.
   * @throws CasefileError `bad_configuration` that names each wrong variable.
   */
  resolvedDestinations(): readonly ConfiguredDestination[];
  /** Returns the heartbeat to an outside monitor in the same way; null: none is configured. */
  resolvedHeartbeat(): ConfiguredHeartbeat | null;
  /** Returns the sign-in by OIDC in the same way, for the console; null: none is configured. */
  resolvedOidc(): ConfiguredOidc | null;
  /** Returns the added destinations in the same way. The problem of each is a field. */
  resolvedAdded(added: readonly AddedDestination[]): ActiveDestination[];
  /** Options of kinds of case that are read from separate files. Default: none. */
  fileOptions?: FileOptions;
  /** All kinds of case in this process, and their playbooks. */
  kinds: readonly InstalledKind[];
  playbooks: readonly Playbook[];
  /** The files that override the shipped configuration, in order. */
  files: readonly string[];
  /** Where settings come from: the file of each path, and the variables that are set. Default: all are defaults. */
  origins?: { files: ReadonlyMap<string, string>; environment: ReadonlySet<string> };
}

export interface Demonstration {
  /** Plays the answers. */
  provider: ResolvedProvider;
  /** Digests, made by `alertDigest`, of the alerts that have a hand-written answer. */
  alerts: readonly string[];
}

/** Folder of the Casefile installation. */
const FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');

/**
 * Reads `.env`, the environment and the YAML files.
 * @param loaded kinds of case of this process. `loadConfig` loads the installed ones.
 * @param ofSamples file that overrides the shipped configuration if samples are on. CASEFILE_CONFIG overrides
 * it.
 * @throws CasefileError `bad_configuration` that names every wrong variable or key, and prints no values.
 */
export function readConfig(
  source: Record<string, string | undefined>,
  loaded: readonly Kind[],
  ofSamples?: string,
): Config {
  const playbooks = loaded.map(({ playbook }) => playbook);
  const filled = sourceFilled(source);
  const parsed = environmentSchema.safeParse(filled);
  if (!parsed.success) throw badConfiguration(fieldProblems(parsed.error));
  const env = parsed.data;
  requireHosts(env);
  const below = ofSamples === undefined || env.CASEFILE_SAMPLES === 'off' ? [] : [ofSamples];
  const files = [...below, ...(env.CASEFILE_CONFIG ?? [])];
  const settings = readSettings(FOLDER, files);
  const kinds = playbooks.map(({ name }) => name);
  const hosts = env.CASEFILE_HOSTS ?? [];
  const variables = { ...filled, CASEFILE_FOLDER: FOLDER };
  const ofFiles: FieldProblem[] = [];
  const ofSettings = settingFiles(files);
  const fileOptions = readOptionFiles(settings, playbooks, ofFiles, ofSettings);
  const unfilled = readOutsideSettings(settings, null, kinds);
  const { webhooks, problems: ofWebhooks } = readWebhooks(settings.webhooks, playbooks);
  const { destinations, problems: ofDestinations } = readDestinations(settings.destinations, playbooks);
  const { texts: toolEnvironment, problems: ofTools } = readToolEnvironment(loaded, filled);
  const problems = [
    ...ofFiles,
    ...ofTools,
    ...readOidc(settings, null, hosts).problems,
    ...ofDestinations,
    ...readHeartbeat(settings, null).problems,
    ...auditHeadProblems(settings.delivery.auditHead, destinations),
    ...nameProblems(settings, loaded),
    ...unfilled.problems,
    ...ofWebhooks,
    ...scheduleProblems(settings.schedules, playbooks),
  ];
  if (problems.length > 0) throw badConfiguration(problems);
  return {
    databaseUrl: env.DATABASE_URL ?? null,
    directUrl: env.DATABASE_DIRECT_URL,
    readUrl: env.DATABASE_READ_URL,
    queueUrl: env.QUEUE_URL ?? null,
    dataDir: resolve(env.CASEFILE_DATA),
    samples: env.CASEFILE_SAMPLES === 'on',
    host: env.HOST,
    hosts,
    ports: {
      console: env.CONSOLE_PORT,
      ingest: env.INGEST_PORT,
      'evidence-collector': env.EVIDENCE_COLLECTOR_PORT,
      reasoner: env.REASONER_PORT,
      'critic-writer': env.CRITIC_WRITER_PORT,
      decision: env.DECISION_PORT,
    },
    ...readProviders(filled, env, settings),
    prompts: readPrompts(kindPrompts(playbooks), env.CASEFILE_PROMPTS),
    env,
    toolEnvironment,
    sourceSecrets: Object.fromEntries(
      Object.entries(filled).filter(([name]) => name.startsWith(SOURCE_SECRET_PREFIX)),
    ),
    settings,
    mcp: unfilled.mcp,
    runbooks: unfilled.runbooks,
    outside: () => {
      const { problems: unset, ...outside } = readOutsideSettings(settings, variables, kinds);
      if (unset.length > 0) throw badConfiguration(unset);
      return outside;
    },
    webhooks,
    webhookSecrets: (only) => {
      const some = webhooks.filter(({ name }) => only === undefined || name === only);
      const { secrets, problems: unset } = readWebhookSecrets(some, variables);
      if (unset.length > 0) throw badConfiguration(unset);
      return secrets;
    },
    destinations,
    resolvedDestinations: () => {
      const { destinations: resolved, problems: unset } = resolveDestinations(destinations, variables);
      if (unset.length > 0) throw badConfiguration(unset);
      return resolved;
    },
    resolvedHeartbeat: () => {
      const { heartbeat, problems: unset } = readHeartbeat(settings, variables);
      if (unset.length > 0) throw badConfiguration(unset);
      return heartbeat;
    },
    resolvedOidc: () => {
      const { oidc, problems: unset } = readOidc(settings, variables, hosts);
      if (unset.length > 0) throw badConfiguration(unset);
      return oidc;
    },
    resolvedAdded: (added) =>
      resolveAdded(added, { playbooks, allowPrivate: settings.delivery.addedAllowPrivate }, variables),
    fileOptions,
    // Tests give kinds that were not loaded.
    kinds: loaded.map((kind): InstalledKind => ({ outside: null, ...kind })),
    playbooks,
    files,
    origins: { files: ofSettings, environment: new Set(Object.keys(filled)) },
  };
}

/**
 * Loads the installed kinds of case, and reads `.env`, the environment and the YAML files.
 * @param ofSamples see `readConfig`
 * @throws CasefileError `bad_configuration`.
 */
export async function loadConfig(
  source: Record<string, string | undefined> = environment(),
  ofSamples?: string,
): Promise<Config> {
  return readConfig(source, await loadKinds(source), ofSamples);
}

const kindsSchema = environmentSchema.pick({ CASEFILE_KINDS: true, CASEFILE_CONFIG: true });

/**
 * Loads the installed kinds of case: the shipped ones, and those that environment and settings files name.
 * @throws CasefileError `bad_configuration` that names file, field and expectation.
 */
export async function loadKinds(
  source: Record<string, string | undefined> = environment(),
): Promise<readonly InstalledKind[]> {
  const parsed = kindsSchema.safeParse(sourceFilled(source));
  if (!parsed.success) throw badConfiguration(fieldProblems(parsed.error));
  const { CASEFILE_KINDS: named = [], CASEFILE_CONFIG: files = [] } = parsed.data;
  return loadInstalledKinds({
    environment: named,
    settings: readSettings(FOLDER, files).kinds,
    file: settingFiles(files).get('kinds') ?? null,
  });
}

const addressSchema = environmentSchema.pick({ HOST: true, CONSOLE_PORT: true, INGEST_PORT: true });

/**
 * Reads the addresses of the console and the intake, and nothing else: a command that calls a running
 * Casefile needs no keys. @throws CasefileError `bad_configuration` that names each wrong variable.
 */
export function readAddresses(
  source: Record<string, string | undefined> = environment(),
): Pick<Config, 'host'> & { ports: Pick<Config['ports'], 'console' | 'ingest'> } {
  const parsed = addressSchema.safeParse(sourceFilled(source));
  if (!parsed.success) throw badConfiguration(fieldProblems(parsed.error));
  const { HOST: host, CONSOLE_PORT, INGEST_PORT } = parsed.data;
  return { host, ports: { console: CONSOLE_PORT, ingest: INGEST_PORT } };
}

// An empty variable counts as unset.
function sourceFilled(source: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function environment(): Record<string, string | undefined> {
  readDotEnv({ quiet: true });
  return process.env;
}

// A service checks before it listens whether keys are required: see `refuseOpenNetwork`.
function requireHosts(env: Environment): void {
  if (env.CASEFILE_TRUST_NETWORK === 'off' || env.CASEFILE_HOSTS !== undefined) return;
  throw badConfiguration([
    {
      path: 'CASEFILE_HOSTS',
      message:
        'expected the names by which the services are called, with commas between them, where CASEFILE_TRUST_NETWORK=on: a request under any other name is refused',
    },
  ]);
}

const keySchema = environmentSchema.pick({ CASEFILE_KEY: true });

/** Returns the access key that commands send; undefined: none is set. @throws CasefileError if it is no key. */
export function readAccessKey(
  source: Record<string, string | undefined> = environment(),
): string | undefined {
  const parsed = keySchema.safeParse(sourceFilled(source));
  if (!parsed.success) throw badConfiguration(fieldProblems(parsed.error));
  return parsed.data.CASEFILE_KEY;
}
