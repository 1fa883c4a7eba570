import {
  asCasefileError,
  DATA_SOURCE_TOOLS,
  withTimeout,
  type AddedDataSource,
  type BoundedRunner,
  type ChangeSource,
  type Clock,
  type DataSources,
  type Json,
  type JsonObject,
  type Logger,
  type SourceHealth,
  type Tool,
  type ToolLimits,
  type ToolOffers,
  type ToolPins,
  type ToolSource,
} from '@casefile/contracts';
import { definedTools } from '../defined-tools.js';
import { wireName } from '../mcp/settings.js';
import type { EvidenceSettings } from '../settings.js';
import { dataSourceTools, type PlacedSource } from './data-source-tools.js';
import { listedRequests, placeSource } from './place-source.js';

export interface AddedSourcesPorts {
  dataSources: Pick<DataSources, 'list'>;
  /** Notifies of changes of the data sources. */
  changes: ChangeSource;
  pins: Pick<ToolPins, 'noteServer'>;
  /** Secrets of data sources, by variable of the environment. */
  secrets: Readonly<Record<string, string | undefined>>;
  settings: Pick<EvidenceSettings, 'limits'>;
  /** Parses large answers. */
  runner: BoundedRunner;
  clock: Clock;
  log: Logger;
  /** Removes secrets from errors. @throws if a value cannot be scanned. */
  mask(value: Json): Promise<{ value: Json }>;
}

/** Limits of the calls of all data sources in a process. Each source also has its own limits. */
const SHARED: ToolLimits = { timeoutMs: 120_000, attempts: 2, concurrency: 16 };
/** Interval between reads of the record while no notification can arrive, in milliseconds. */
const READ_ALONE_MS = 2_000;
/** Interval between probes of a source, in milliseconds. */
const PROBE_MS = 60_000;

/** Source of the tools of data sources in a process that does not run them. */
export function unconnectedSources(): ToolSource {
  return {
    name: 'data sources',
    allowed: new Map([[DATA_SOURCE_TOOLS, SHARED]]),
    connect: async () => undefined,
    listed: () => [],
    health: () => ({ state: 'ready' }),
    close: async () => undefined,
  };
}

/** The tools of the data sources on the record, read again after each notification of a change and before each probe. */
export function addedSources(ports: AddedSourcesPorts): ToolSource {
  return new AddedSources(ports);
}

/** A stored source with its state in this process. */
interface UsedSource {
  added: AddedDataSource;
  placed: PlacedSource | null;
  tools: readonly Tool[];
  /** Why it cannot be used; null: it can. */
  problem: string | null;
  probedAt: number;
  probing: boolean;
  /** The last answered request of a person to probe the source; null: none. */
  answered: string | null;
}

class AddedSources implements ToolSource {
  readonly name = 'data sources';
  readonly allowed = unconnectedSources().allowed;
  private used: readonly UsedSource[] = [];
  private tools: readonly Tool[] = [];
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private unlisten: (() => void) | null = null;
  private readonly ending = new AbortController();

  constructor(private readonly ports: AddedSourcesPorts) {}

  async connect(): Promise<void> {
    const { changes, log } = this.ports;
    this.unlisten ??= changes.on('settings', () => void this.connect());
    let isRead = false;
    try {
      await this.read();
      isRead = true;
    } catch (error) {
      log.warn({ error }, 'the data sources could not be read');
    }
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.closed) return;
    // The probes need a read too. `connect` never rejects.
    const waitMs = isRead && changes.isListening() ? PROBE_MS : READ_ALONE_MS;
    this.timer = setTimeout(() => void this.connect(), waitMs).unref();
  }

  listed(): readonly Tool[] {
    return this.tools;
  }

  health(): SourceHealth {
    return { state: 'ready' };
  }

  offers(): ToolOffers {
    const offers: ToolOffers = { tools: [], out: [] };
    for (const { added, placed, problem } of this.used) {
      const listed = placed === null ? [] : listedRequests(placed);
      for (const { tool, hash, entry } of listed) {
        const name = wireName(added.name, tool);
        if (problem !== null) offers.out.push({ name, why: problem, required: false });
        else
          offers.tools.push({
            name,
            source: added.name,
            description: String(entry['description']),
            parameters: entry['inputSchema'] as JsonObject,
            hash,
            required: false,
          });
      }
    }
    return offers;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.unlisten?.();
    if (this.timer !== null) clearTimeout(this.timer);
    this.ending.abort();
  }

  private async read(): Promise<void> {
    const rows = await this.ports.dataSources.list();
    this.used = rows.map((added) => this.sourceIn(added));
    this.tools = this.used.flatMap(({ tools }) => tools);
    for (const one of this.used) if (this.isDue(one)) void this.probe(one);
  }

  private sourceIn(added: AddedDataSource): UsedSource {
    const known = this.used.find(
      (one) => one.added.name === added.name && one.added.changedAt === added.changedAt,
    );
    if (known !== undefined) return Object.assign(known, { added });
    const { secrets, settings, runner, log } = this.ports;
    const fresh = { added, probedAt: 0, probing: false, answered: null };
    try {
      const placed = placeSource(added.name, added.entry);
      const definitions = dataSourceTools(placed, runner);
      const missing = definitions[0]?.missing(secrets) ?? [];
      const problem =
        missing.length === 0
          ? null
          : `its secret is missing: set ${missing.join(', ')} and restart the evidence collector`;
      return { ...fresh, placed, tools: definedTools(definitions, secrets, settings), problem };
    } catch (error) {
      const problem = asCasefileError(error).message.slice(0, 1_000);
      log.warn({ source: added.name, problem }, 'a data source cannot be used');
      return { ...fresh, placed: null, tools: [], problem };
    }
  }

  private isDue({ added, probedAt, probing, answered }: UsedSource): boolean {
    if (probing) return false;
    return added.testRequestedAt !== answered || this.ports.clock.now() - probedAt >= PROBE_MS;
  }

  /** Never rejects. */
  private async probe(one: UsedSource): Promise<void> {
    one.probing = true;
    const { clock, pins, log } = this.ports;
    const startedAt = clock.now();
    const requestedAt = one.added.testRequestedAt;
    try {
      const health = await this.healthOf(one);
      if (this.closed) return;
      await pins.noteServer(one.added.name, health, one.placed === null ? null : listedRequests(one.placed));
    } catch (error) {
      log.warn({ source: one.added.name, error }, 'the result of a probe could not be noted');
    } finally {
      one.probedAt = startedAt;
      one.answered = requestedAt;
      one.probing = false;
    }
  }

  private async healthOf({ added, placed, tools, problem }: UsedSource): Promise<SourceHealth> {
    if (placed === null || problem !== null) return { state: 'down', why: problem ?? 'it cannot be read' };
    const { probe } = placed.source;
    const tool = tools.find(({ name }) => name === wireName(added.name, probe.request));
    if (tool === undefined) return { state: 'down', why: `it has no request ${probe.request}` };
    const { clock, log } = this.ports;
    const args = Object.entries(probe.arguments).filter(([name]) => !Object.hasOwn(placed.set, name));
    try {
      await withTimeout(tool.limits.timeoutMs, this.ending.signal, (signal) =>
        tool.run(Object.fromEntries(args), { signal, clock, log }),
      );
      return { state: 'ready' };
    } catch (error) {
      return { state: 'down', why: await this.withoutSecrets(asCasefileError(error).message) };
    }
  }

  private async withoutSecrets(message: string): Promise<string> {
    try {
      return String((await this.ports.mask(message.slice(0, 2_000))).value).slice(0, 1_000);
    } catch {
      return 'why was withheld';
    }
  }
}
