import {
  asCasefileError,
  CasefileError,
  type Json,
  type JsonObject,
  type ListedTool,
  type Logger,
  type SourceHealth,
  type Tool,
  type ToolLimits,
  type ToolOffers,
  type ToolPins,
  type ToolSource,
} from '@casefile/contracts';
import { type McpServer, allowedTools, wireName } from './settings.js';
import type { Session, SessionPorts } from './session.js';
import { judge, type ToolJudgement, readResult } from './server-answers.js';

/**
 * Connects to a server and completes the handshake. The client is loaded with the first server.
 * @throws CasefileError as `shakeHands`.
 */
export async function openSession(server: McpServer, ports: SessionPorts): Promise<Session> {
  const { shakeHands } = await import('./session.js');
  return shakeHands(server, ports);
}

export interface McpPorts {
  pins: Pick<ToolPins, 'approved' | 'noteServer'>;
  log: Logger;
  /** Removes secrets from a server's list and errors. @throws if a value cannot be scanned. */
  mask(value: Json): Promise<{ value: Json }>;
}

/** The tools of an MCP server, over a connection that reconnects automatically. */
export function mcpSource(server: McpServer, ports: McpPorts): ToolSource {
  return new McpSource(server, ports);
}

const FIRST_WAIT_MS = 1_000;

class McpSource implements ToolSource {
  readonly name: string;
  readonly allowed: ReadonlyMap<string, ToolLimits>;
  private session: Session | null = null;
  private opening: Promise<Session> | null = null;
  private judged = new Map<string, ToolJudgement>();
  /** Entries of allowed tools without secrets, by hash of the listed entry. */
  private clean: ReadonlyMap<string, Json> = new Map();
  private state: SourceHealth = { state: 'connecting' };
  private approved: ReadonlyMap<string, string> = new Map();
  private timer: NodeJS.Timeout | null = null;
  private failures = 0;
  /** Number of the last check that was begun. */
  private begun = 0;
  /** Number of the check whose list is used. One that was begun earlier and ends later changes nothing. */
  private used = 0;
  /** The session that was last asked for its list, and the time. */
  private seen: { session: Session; at: number } | null = null;
  /** The running check, shared by concurrent calls. */
  private looking: { session: Session; done: Promise<void> } | null = null;
  /** Number of the last check that was begun before the server last reported a changed list. */
  private changedAt = -1;
  private closed = false;

  constructor(
    private readonly server: McpServer,
    private readonly ports: McpPorts,
  ) {
    this.name = server.name;
    this.allowed = allowedTools(server);
  }

  async connect(): Promise<void> {
    try {
      await this.look(await this.opened());
    } catch (error) {
      this.failures += 1;
      await this.down(error);
    }
    this.lookLater();
  }

  listed(): readonly Tool[] {
    return [...this.judged.values()].flatMap((one) => ('tool' in one ? [one.tool] : []));
  }

  health(): SourceHealth {
    return this.state;
  }

  offers(): ToolOffers {
    const { state } = this;
    const down =
      state.state === 'ready'
        ? null
        : `${this.name} ${state.state === 'down' ? `is down: ${state.why}` : 'is not connected yet'}`;
    const offers: ToolOffers = { tools: [], out: [] };
    for (const name of this.allowed.keys()) {
      const one = this.judged.get(name);
      if (down === null && one !== undefined && 'frozen' in one) offers.tools.push(one.frozen);
      else {
        const said = one !== undefined && 'out' in one ? one.out : `${this.name} was not asked yet`;
        const required = this.server.required.some((tool) => wireName(this.name, tool) === name);
        offers.out.push({ name, why: (down ?? said).slice(0, 2_000), required });
      }
    }
    return offers;
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.opening?.catch(() => undefined);
    await this.session?.close();
    this.session = null;
  }

  /** The open session, or a new one. A broken session is never reused. */
  private async opened(): Promise<Session> {
    if (this.closed) throw new CasefileError('network', `${this.name} is closed`);
    if (this.session !== null && !this.session.lost) return this.session;
    this.opening ??= this.open().finally(() => (this.opening = null));
    return this.opening;
  }

  private async open(): Promise<Session> {
    const { session: old } = this;
    this.session = null;
    await old?.close();
    // The session may be lost before it is assigned.
    let session: Session | null = null;
    session = await openSession(this.server, {
      lost: (why) => {
        if (session !== null && session === this.session)
          this.wentDown(new CasefileError('network', why, { retryable: true }));
      },
      changed: () => (this.changedAt = this.begun),
      log: this.ports.log,
    });
    this.session = session;
    return session;
  }

  /**
   * Returns a session with a current list. @throws CasefileError as `openSession` and `look`: the server is
   * then down.
   */
  private async ready(): Promise<Session> {
    try {
      const session = await this.opened();
      const isCurrent =
        this.seen?.session === session &&
        this.used > this.changedAt &&
        performance.now() - this.seen.at < this.server.limits.listFreshMs;
      if (isCurrent) return session;
      await this.sharedLook(session);
      // The list may have changed while it was on its way.
      if (this.used <= this.changedAt) await this.sharedLook(session);
      return session;
    } catch (error) {
      this.wentDown(error);
      throw error;
    }
  }

  private sharedLook(session: Session): Promise<void> {
    if (this.looking?.session === session) return this.looking.done;
    const looking = { session, done: this.look(session) };
    this.looking = looking;
    return looking.done.finally(() => {
      if (this.looking === looking) this.looking = null;
    });
  }

  /**
   * Fetches the current list and checks it against the approvals. @throws CasefileError as `Session.list`,
   * `withheld`.
   */
  private async look(session: Session): Promise<void> {
    const at = performance.now();
    const number = ++this.begun;
    let listed: ListedTool[];
    try {
      listed = await this.withoutSecrets(await session.list());
      const approved = this.allPinned(listed) ? this.approved : await this.readPins();
      if (number < this.used) return;
      this.approved = approved;
    } catch (error) {
      if (number < this.used) return;
      throw error;
    }
    this.used = number;
    const before = this.listed();
    this.judged = judge(
      this.server,
      listed,
      (tool) => this.approvedHashes(tool),
      (tool) => this.runOf(tool),
    );
    this.seen = { session, at };
    this.failures = 0;
    const isNews = this.state.state !== 'ready' || before.length !== this.listed().length;
    this.state = { state: 'ready' };
    if (isNews)
      this.ports.log.info(
        { server: this.name, tools: this.listed().length, out: this.offers().out },
        'an MCP server is ready',
      );
    await this.note(listed);
  }

  /** Allowed tools of a list, without secrets. The hashes remain those of the listed entries. */
  private async withoutSecrets(listed: readonly ListedTool[]): Promise<ListedTool[]> {
    const allowed = listed.filter(({ tool }) => this.server.allow.includes(tool));
    const clean = new Map<string, Json>();
    try {
      for (const { hash, entry } of allowed)
        clean.set(hash, this.clean.get(hash) ?? (await this.ports.mask(entry)).value);
    } catch (cause) {
      throw new CasefileError('withheld', 'its list could not be scanned for secrets', { cause });
    }
    this.clean = clean;
    return allowed.map((one) => ({ ...one, entry: clean.get(one.hash) as JsonObject }));
  }

  private allPinned(entries: readonly ListedTool[]): boolean {
    return entries.every(({ tool, hash }) => this.approvedHashes(tool).includes(hash));
  }

  private approvedHashes(tool: string): string[] {
    return [this.server.pins[tool], this.approved.get(tool)].flatMap((hash) => hash ?? []);
  }

  private async readPins(): Promise<ReadonlyMap<string, string>> {
    try {
      return await this.ports.pins.approved(this.name);
    } catch (error) {
      // If the approvals cannot be read, no tool is approved.
      this.ports.log.warn({ server: this.name, error }, 'the approved tools of a server could not be read');
      return new Map();
    }
  }

  private runOf(tool: string): Tool['run'] {
    const wire = wireName(this.name, tool);
    return async (args, { signal }) => {
      const session = await this.ready();
      const now = this.judged.get(wire);
      if (now !== undefined && 'out' in now)
        throw new CasefileError('not_approved', `${tool} of ${this.name}: ${now.out}`);
      return { result: readResult(await session.call(tool, args, signal)), source: this.name };
    };
  }

  private wentDown(error: unknown): void {
    void this.down(error).then(() => this.lookLater());
  }

  /** Never rejects. */
  private async down(error: unknown): Promise<void> {
    const { used } = this;
    this.seen = null;
    const why = await this.reasonOf(error);
    // A check has succeeded since the error, so the error is outdated.
    if (used !== this.used || this.closed) return;
    if (this.state.state !== 'down') this.ports.log.warn({ server: this.name, why }, 'an MCP server is down');
    this.state = { state: 'down', why };
    await this.note(null);
  }

  private async reasonOf(error: unknown): Promise<string> {
    try {
      const { value } = await this.ports.mask(asCasefileError(error).message.slice(0, 5_000));
      return String(value).slice(0, 1_000);
    } catch {
      return 'why was withheld';
    }
  }

  private async note(listed: readonly ListedTool[] | null): Promise<void> {
    try {
      await this.ports.pins.noteServer(this.name, this.state, listed);
    } catch (error) {
      this.ports.log.warn({ server: this.name, error }, 'how a server does could not be noted');
    }
  }

  private lookLater(): void {
    if (this.closed) return;
    if (this.timer !== null) clearTimeout(this.timer);
    const { healthMs } = this.server.limits;
    const backOff = FIRST_WAIT_MS * 2 ** Math.max(0, this.failures - 1);
    const wait = this.state.state === 'down' ? Math.min(healthMs, backOff) : healthMs;
    // `connect` never rejects.
    this.timer = setTimeout(() => void this.connect(), wait);
    this.timer.unref();
  }
}
