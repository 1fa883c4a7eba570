import { createHash } from 'node:crypto';
import {
  asCasefileError,
  CasefileError,
  InvalidInput,
  type CaseStore,
  type Clock,
  type FetchedFeed,
  type Leadership,
  type Logger,
  type ScheduleState,
} from '@casefile/contracts';
import { createGuardedRead, type PlainAnswer } from '@casefile/evidence';
import {
  importers,
  prepareImport,
  wholeContent,
  type ImportNews,
  type ImportPorts,
} from '@casefile/knowledge';
import type { ConfiguredFeed } from '../config/feed-settings.js';
import { lastDue, nextDue } from './due-times.js';
import { currentState, recordFailure, afterSuccess } from './schedule-driver.js';

export interface FeedPorts {
  feeds: readonly ConfiguredFeed[];
  store: Pick<CaseStore, 'schedules' | 'lead'>;
  ports: Omit<ImportPorts, 'news' | 'signal'>;
  clock: Clock;
  log: Logger;
}

const LIMITS = {
  intervalMs: 1_000,
  /** Wait after a failure before the next attempt. */
  retryMs: 60_000,
  /** Wait before another process is asked again whether it leads. */
  leadAgainMs: 5_000,
};

/** Most characters of a problem that are kept. */
const PROBLEM_LENGTH = 1_000;
const NOT_MODIFIED = 304;

/**
 * Fetches feeds at their times and imports them. One process at a time does this. A feed that cannot be fetched or
 * read changes nothing: the entries of its last import stay.
 */
export class FeedWorker {
  private timer: NodeJS.Timeout | null = null;
  private leadership: Leadership | null = null;
  private pass: Promise<void> = Promise.resolve();
  private lookAgainAt = 0;
  private readonly over = new AbortController();

  constructor(
    private readonly ports: FeedPorts,
    private readonly limits: typeof LIMITS = LIMITS,
  ) {}

  start(): void {
    if (this.ports.feeds.length === 0) return;
    const next = () => {
      this.timer = setTimeout(() => {
        this.pass = this.tick().finally(() => this.timer !== null && next());
      }, this.limits.intervalMs).unref();
    };
    next();
  }

  /** Ends the current fetch; it is made again at the next start. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.over.abort();
    await this.pass;
    await this.resign();
  }

  /** One pass. An outage of the store ends it, and the next pass tries again. */
  async tick(): Promise<void> {
    const now = this.ports.clock.now();
    if (now < this.lookAgainAt || this.over.signal.aborted) return;
    try {
      this.leadership ??= await this.ports.store.lead('feeds');
      this.lookAgainAt = this.leadership === null ? now + this.limits.leadAgainMs : await this.fetchDue(now);
    } catch (error) {
      this.ports.log.warn({ error }, 'the feeds were not fetched; the next pass tries again');
      await this.resign();
    }
  }

  /** Fetches what is due. @returns when to look again. */
  private async fetchDue(now: number): Promise<number> {
    const { feeds, store } = this.ports;
    const feedStates = (await store.schedules.states()).filter(({ kind }) => kind === 'feed');
    const nextTimes: number[] = [];
    for (const feed of feeds) {
      const state = currentState('feed', feed.name, feed.timing, feedStates, now);
      // A new feed is fetched immediately.
      const due = state.fetched === null ? now : lastDue(feed, Date.parse(state.doneUntil), now);
      const after = due === null ? state : await this.fetch(feed, state, due);
      if (this.over.signal.aborted) return now;
      if (due !== null) await store.schedules.save(after);
      const next = nextDue(feed, Date.parse(after.doneUntil));
      if (after.problem !== null) nextTimes.push(this.ports.clock.now() + this.limits.retryMs);
      else if (next !== null) nextTimes.push(next);
    }
    return Math.min(...nextTimes);
  }

  /** Fetches and imports a feed. @returns the state after it. */
  private async fetch(feed: ConfiguredFeed, state: ScheduleState, due: number): Promise<ScheduleState> {
    const { clock, log } = this.ports;
    const { name } = feed;
    try {
      const fetched = await this.imported(feed, state.fetched);
      log.info({ feed: name, result: fetched.result }, 'a feed was fetched');
      const done = { dueAt: new Date(due).toISOString(), now: clock.now(), caseId: null };
      return { ...afterSuccess(state, done), fetched };
    } catch (error) {
      log.warn({ error, feed: name }, 'a feed was not imported');
      return recordFailure(state, problemText(error), clock.now());
    }
  }

  private async imported(feed: ConfiguredFeed, last: FetchedFeed | null): Promise<FetchedFeed> {
    const { ports, clock } = this.ports;
    const late = new AbortController();
    const isLate = () => late.abort(new DOMException('the feed is silent', 'TimeoutError'));
    const limit = setTimeout(isLate, feed.timeoutSeconds * 1_000).unref();
    const signal = AbortSignal.any([this.over.signal, late.signal]);
    const answer = await readFeed(feed, last, { signal, clock }).finally(() => clearTimeout(limit));
    const digest = createHash('sha256').update(answer.bytes).digest('hex');
    const isSame = answer.status === NOT_MODIFIED || digest === last?.digest;
    const validators = { etag: answer.etag ?? null, lastModified: answer.lastModified ?? null };
    if (last !== null && isSame)
      return { ...last, ...(answer.status === NOT_MODIFIED ? {} : validators), result: 'unchanged' };
    const importer = importers.find((one) => one.name === feed.into);
    if (importer === undefined) throw new Error(`there is no knowledge base ${feed.into}`);
    const content = wholeContent(() => answer.bytes);
    const file = { name: `feed ${feed.name}`, path: 'feed', content };
    const source = { name: file.name, origin: feed.name, files: [file] };
    const { type, risk } = feed;
    const put = prepareImport(importer, source, {
      ...(type === undefined ? {} : { type }),
      ...(risk === undefined ? {} : { risk }),
    });
    const notes = new FeedNotes();
    const isComplete = await put({ ...ports, news: notes, signal: this.over.signal });
    if (!isComplete) throw new CasefileError('unreadable_file', notes.failures.join('; '));
    const changedAt = new Date(clock.now()).toISOString();
    return { ...validators, digest, result: notes.results.join('; '), changedAt };
  }

  private async resign(): Promise<void> {
    const leadership = this.leadership;
    this.leadership = null;
    await leadership?.release().catch((error: unknown) => {
      this.ports.log.debug({ error }, 'leadership was gone already');
    });
  }
}

async function readFeed(
  { url, headers, allowPrivate, allowedHosts, maxBytes }: ConfiguredFeed,
  last: FetchedFeed | null,
  context: { signal: AbortSignal; clock: Clock },
): Promise<PlainAnswer> {
  const { origin, pathname, search } = new URL(url);
  const read = createGuardedRead({
    baseUrl: origin,
    ...(allowPrivate ? {} : { untrusted: true as const }),
    allowedHosts,
    maxBytes,
  });
  const conditional = {
    ...(last?.etag == null ? {} : { 'if-none-match': last.etag }),
    ...(last?.lastModified == null ? {} : { 'if-modified-since': last.lastModified }),
  };
  const acceptedStatuses = last === null ? [] : [NOT_MODIFIED];
  return read(
    { path: pathname + search, headers: { ...headers, ...conditional }, acceptedStatuses },
    context,
  );
}

function problemText(thrown: unknown): string {
  const error = asCasefileError(thrown);
  const text =
    error instanceof InvalidInput
      ? error.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
      : error.message;
  return text.slice(0, PROBLEM_LENGTH);
}

/** Keeps the results of an import. */
class FeedNotes implements ImportNews {
  readonly results: string[] = [];
  readonly failures: string[] = [];

  result(line: string): void {
    this.results.push(line);
  }

  failure(line: string): void {
    this.failures.push(line);
  }

  note(line: string): void {
    this.failures.push(line);
  }

  progress(): ReturnType<ImportNews['progress']> {
    return { to: () => undefined, end: () => undefined };
  }
}
