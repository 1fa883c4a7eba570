import { hostname } from 'node:os';
import {
  type AddedDataSource,
  type CaseStore,
  type Clock,
  type Ids,
  type Installation,
  type InstallationSource,
  type Logger,
  canonicalJson,
  type Json,
} from '@casefile/contracts';
import { installedSource } from '@casefile/evidence';
import type { Config } from '../config/read-config.js';
import type { ModelProbes } from '../compose/configured-probes.js';
import { CASEFILE_VERSION, describeInstallation, ownInstallation } from './describe-installation.js';
import { installPrompts } from '../config/installed-prompts.js';
import type { SettingsCopy } from './settings-copy.js';
import { createHash } from 'node:crypto';

/** The service that asks models. New runs are frozen from its configuration. */
const PUBLISHES = 'reasoner';
/** Services with keys of models. Each must be able to use the models that the publisher offers. */
const ASKS_MODELS = [PUBLISHES, 'critic-writer', 'evidence-collector'];

/** Interval between looks for changed files of options, in milliseconds. A change is published. */
const LOOK_MS = 3_000;
/** Interval between reports, in milliseconds. */
export const REPORT_MS = 9_000;

export interface HeartbeatPorts {
  config: Config;
  store: Pick<CaseStore, 'installations' | 'processes' | 'promptVersions'>;
  ids: Ids;
  clock: Clock;
  log: Logger;
  /** This process's copy of shared settings, whose age it reports. */
  settings: Pick<SettingsCopy, 'current' | 'shared'>;
  /** Results of probing the configured models. Probes may finish while the heartbeat runs. */
  probes: Pick<ModelProbes, 'found'>;
}

/**
 * Reports this process on the record every few seconds. The process that asks models publishes the
 * installation at its start and after each change. Every other process has it among the shared settings.
 */
export class Heartbeat {
  /** The installation with the data sources that were added to it. */
  readonly installation: InstallationSource;
  /** The installation that this process publishes; null: another process does. */
  private readonly own: InstallationSource | null;
  private readonly id: string;
  /** Time of the last report by `performance.now()`. */
  private reportedAt = -Infinity;
  private lastDigest: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly services: readonly string[],
    private readonly ports: HeartbeatPorts,
  ) {
    this.id = ports.ids.id();
    const { config, settings } = ports;
    this.own = services.includes(PUBLISHES) ? ownInstallation(config) : null;
    this.installation = {
      latest: () => {
        const { installation, dataSources } = settings.shared();
        return withSources(this.own === null ? installation : this.own.latest(), dataSources);
      },
    };
  }

  /** Reports once and then every few seconds. @throws if the store does not answer. */
  async start(): Promise<void> {
    await this.beat();
    this.next();
  }

  /** Ends the reports. The last report states that the process stopped in order. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.beating;
    await this.ports.store.processes
      .stopped(this.id)
      .catch((error: unknown) => this.ports.log.debug({ error }, 'the stop was not reported'));
  }

  private next(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.beating = this.beat()
        .catch((error: unknown) => this.ports.log.debug({ error }, 'the heartbeat was not written'))
        .finally(() => this.next());
    }, LOOK_MS).unref();
  }

  private async beat(): Promise<void> {
    if (this.asksModels()) await this.ports.config.fileOptions?.refresh();
    await this.publish();
    if (performance.now() - this.reportedAt < REPORT_MS - LOOK_MS / 2) return;
    await this.report();
    this.reportedAt = performance.now();
  }

  private async report(): Promise<void> {
    const { store, config, probes, clock, settings } = this.ports;
    const { readAt } = settings.current();
    await store.processes.report({
      id: this.id,
      services: [...this.services],
      version: CASEFILE_VERSION,
      host: hostname(),
      pid: process.pid,
      settingsDigest: settingsDigest(config),
      installationDigest: this.asksModels() ? valueDigest(describeInstallation(config)) : null,
      probes: probes.found(),
      rolloutAgeMs: readAt === null ? null : Math.max(0, Math.round(clock.now() - readAt)),
    });
  }

  // Published only at the start and after a change. If each heartbeat published, an older deployment that
  // still runs would replace the newest one.
  private async publish(): Promise<void> {
    const installation = this.own?.latest() ?? null;
    if (installation === null) return;
    const digest = valueDigest(installation);
    if (digest === this.lastDigest) return;
    const { store, config, log } = this.ports;
    // This process adds its prompt texts as versions, because its texts are the ones in use.
    await installPrompts(config, { store, log });
    await store.installations.publish(installation);
    this.lastDigest = digest;
    log.info({ provider: installation.provider, digest }, 'the installation was published');
  }

  private asksModels(): boolean {
    return this.services.some((name) => ASKS_MODELS.includes(name));
  }
}

/** Returns a digest of the settings that all services of an installation share: files and kinds of case. */
function settingsDigest({ settings, kinds }: Pick<Config, 'settings' | 'kinds'>): string {
  const digests = kinds.map(({ playbook: { name, version }, outside }) => ({
    name,
    version,
    digest: outside?.digest,
  }));
  return valueDigest({ settings, kinds: digests });
}

// Uses the JSON form, which omits undefined members, because the record does too.
function valueDigest(value: unknown): string {
  const json = JSON.parse(JSON.stringify(value)) as Json;
  return createHash('sha256').update(canonicalJson(json)).digest('hex').slice(0, 16);
}

/** A server of the configuration precedes a data source of the same name. */
function withSources(
  installation: Installation | null,
  sources: readonly AddedDataSource[],
): Installation | null {
  if (installation === null || sources.length === 0) return installation;
  const { toolServers } = installation;
  const added = sources
    .filter(({ name }) => !toolServers.some((one) => one.name === name))
    .flatMap((one) => installedSource(one) ?? []);
  return { ...installation, toolServers: [...toolServers, ...added] };
}
