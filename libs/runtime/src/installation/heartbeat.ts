import { hostname } from 'node:os';
import {
  type CaseStore,
  type Clock,
  type Ids,
  type Installation,
  type InstallationSource,
  type InstalledToolServer,
  type Logger,
  canonicalJson,
  type Json,
} from '@casefile/contracts';
import { installedSource } from '@casefile/evidence';
import type { Config } from '../config/read-config.js';
import type { ModelProbes } from '../compose/configured-probes.js';
import {
  CASEFILE_VERSION,
  describeInstallation,
  ownInstallation,
  PublishedInstallation,
} from './describe-installation.js';
import { installPrompts } from '../config/installed-prompts.js';
import type { RolloutSource } from '../rollout/rollout-copy.js';
import { createHash } from 'node:crypto';

/** The service that asks models. New runs are frozen from its configuration. */
const PUBLISHES = 'reasoner';
/** Services with keys of models. Each must be able to use the models that the publisher offers. */
const ASKS_MODELS = [PUBLISHES, 'critic-writer', 'evidence-collector'];

/** Interval between heartbeats, in milliseconds. A process that is silent three times as long is absent. */
const HEARTBEAT_MS = 3_000;
/** Interval between reads before the first publication, in milliseconds. */
const FIRST_READ_MS = 250;

export interface HeartbeatPorts {
  config: Config;
  store: Pick<CaseStore, 'installations' | 'processes' | 'promptVersions' | 'dataSources'>;
  ids: Ids;
  clock: Clock;
  log: Logger;
  /** This process's copy of rolled-out changes, whose age it reports. */
  rollout: RolloutSource;
  /** Results of probing the configured models. Probes may finish while the heartbeat runs. */
  probes: Pick<ModelProbes, 'found'>;
}

/**
 * Reports this process on the record every few seconds. The process that asks models publishes the
 * installation at its start and after each change. Every other process reads it.
 */
export class Heartbeat {
  /** The installation with the data sources that were added to it. */
  readonly installation: InstallationSource;
  private readonly described: InstallationSource;
  private sources: readonly InstalledToolServer[] = [];
  private readonly id: string;
  private readonly published: PublishedInstallation | null;
  private lastDigest: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly services: readonly string[],
    private readonly ports: HeartbeatPorts,
  ) {
    this.id = ports.ids.id();
    const { config, store } = ports;
    this.published = services.includes(PUBLISHES) ? null : new PublishedInstallation(store.installations);
    this.described = this.published ?? ownInstallation(config);
    this.installation = { latest: () => withSources(this.described.latest(), this.sources) };
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
    const waits = this.installation.latest() === null ? FIRST_READ_MS : HEARTBEAT_MS;
    this.timer = setTimeout(() => {
      this.beating = this.beat()
        .catch((error: unknown) => this.ports.log.debug({ error }, 'the heartbeat was not written'))
        .finally(() => this.next());
    }, waits).unref();
  }

  private async beat(): Promise<void> {
    const { store, config, probes, clock, rollout } = this.ports;
    if (this.asksModels()) await config.fileOptions?.refresh();
    if (this.published === null) await this.publish();
    else await this.published.refresh();
    this.sources = (await store.dataSources.list()).flatMap((one) => installedSource(one) ?? []);
    const { readAt } = rollout.current();
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
    const installation = this.described.latest();
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
  sources: readonly InstalledToolServer[],
): Installation | null {
  if (installation === null || sources.length === 0) return installation;
  const { toolServers } = installation;
  const added = sources.filter(({ name }) => !toolServers.some((one) => one.name === name));
  return { ...installation, toolServers: [...toolServers, ...added] };
}
