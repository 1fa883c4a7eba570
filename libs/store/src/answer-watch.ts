import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { CasefileError } from '@casefile/contracts';
import pg from 'pg';

/** Time in ms for which work waits before the server is probed. */
const PATIENCE_MS = 150;
/** Time in ms within which work that begins shares a timer. A timer for each alert took 5 % of a case. */
const SHARED_MS = 50;
/**
 * Time in ms within which a server answers a probe. Together with the patience it is below the second within
 * which intake answers 503.
 */
const PROBE_MS = 700;
/** A probe whose timer fires later than this after its time, in ms, shows that this process was busy itself. */
const BUSY_MS = 150;
/**
 * Time in ms for which a connection without an answer is kept, and for which the server may take to open it. With a
 * new connection per probe, a busy server would count as silent for as long as it is busy.
 */
const UNANSWERED_MS = 2_000;
/** Interval in ms between the probes of a server that does not answer. */
const PROBE_AGAIN_MS = 250;

/**
 * Lets work fail soon while the database server answers nothing, for example because it is frozen. Slow work on
 * a server that answers a probe continues to wait. Use it only for work that its caller can repeat: the server
 * may still perform the work after the error.
 */
export class AnswerWatch {
  private probing: Promise<boolean> | null = null;
  private waiting: { from: number; over: Promise<false> } | null = null;
  private isSilent = false;
  private isClosed = false;
  private connection: ProbeConnection | null = null;

  constructor(private readonly databaseUrl: string) {}

  /**
   * Returns the result of `work`. If the server is known not to answer, `work` is not started.
   * @throws CasefileError `store_unreachable` (retryable) about a second after the server fell silent, or two seconds
   * if the connection of the probes is not open yet.
   */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.isSilent) throw silence();
    // Opened before it is needed: a busy server needs longer for a new connection than for an answer.
    this.connect();
    const result = work();
    const over = result.then(
      () => true,
      () => true,
    );
    for (;;) {
      if (await Promise.race([over, this.patience()])) return result;
      // Work that ends while the probe runs has its own result.
      if (!(await Promise.race([over, this.probe()]))) throw silence();
    }
  }

  close(): void {
    this.isClosed = true;
    this.drop(this.connection);
  }

  /** Resolves to false after `PATIENCE_MS`, at most `SHARED_MS` sooner. Work that begins together shares a timer. */
  private patience(): Promise<false> {
    const now = performance.now();
    if (this.waiting === null || now - this.waiting.from > SHARED_MS)
      this.waiting = { from: now, over: sleep(PATIENCE_MS, false as const, { ref: false }) };
    return this.waiting.over;
  }

  /** Returns whether the server answers. Concurrent callers share a probe. */
  private probe(): Promise<boolean> {
    this.probing ??= this.ask().then((answers) => {
      this.probing = null;
      this.isSilent = !answers && !this.isClosed;
      if (this.isSilent) void sleep(PROBE_AGAIN_MS, null, { ref: false }).then(() => this.probe());
      return answers;
    });
    return this.probing;
  }

  // An error is an answer: the work fails with the same error on its own.
  private async ask(): Promise<boolean> {
    if (this.isClosed) return true;
    const startedAt = performance.now();
    const connection = this.connect();
    if (connection === null) return true;
    // One more turn of the event loop, so that an answer that has arrived is read first.
    const late = sleep(PROBE_MS, null, { ref: false }).then(() => nextTurn(false));
    if (await Promise.race([this.answerOn(connection), late])) return true;
    const now = performance.now();
    if (now - startedAt > PROBE_MS + BUSY_MS) return true;
    const isRecent = now - connection.askedAt < UNANSWERED_MS;
    if (!connection.isOpen && isRecent && !this.isSilent) return true;
    if (this.isClosed || !isRecent) this.drop(connection);
    return false;
  }

  /** Resolves to true with the answer to the query that is in progress on the connection, or to a new one. */
  private answerOn(connection: ProbeConnection): Promise<boolean> {
    if (connection.answer !== null) return connection.answer;
    if (connection.isOpen) connection.askedAt = performance.now();
    connection.answer = connection.ready
      .then(() => connection.client.query('select 1'))
      .then(
        () => (connection.answer = null),
        () => this.drop(connection),
      )
      .then(() => true);
    return connection.answer;
  }

  /** Returns the open connection, or a new one; null: none can be opened, and the work fails with the same error. */
  private connect(): ProbeConnection | null {
    if (this.isClosed) return null;
    try {
      return (this.connection ??= this.open());
    } catch {
      return null;
    }
  }

  private open(): ProbeConnection {
    const client = new pg.Client({ connectionString: this.databaseUrl, application_name: 'casefile' });
    const ready = client.connect().then(() => {
      connection.isOpen = true;
      // Does not keep the process alive. The declarations of pg lack the method.
      (client as unknown as { unref(): void }).unref();
    });
    const askedAt = performance.now();
    const connection: ProbeConnection = { client, ready, isOpen: false, answer: null, askedAt };
    // A connection that breaks is opened again with the next work. `ready` fails for each probe that waits for it.
    ready.catch(() => this.drop(connection));
    client.on('error', () => this.drop(connection));
    return connection;
  }

  private drop(connection: ProbeConnection | null): void {
    if (connection === null) return;
    (connection.client as unknown as pg.PoolClient).connection.stream.destroy();
    if (this.connection === connection) this.connection = null;
  }
}

/** A connection of the probes. They have their own, because all connections of a pool may wait for a lock. */
interface ProbeConnection {
  client: pg.Client;
  ready: Promise<void>;
  isOpen: boolean;
  /** Answer to the query in progress; null: none is in progress. */
  answer: Promise<boolean> | null;
  /** Start of the last query, or of the opening. */
  askedAt: number;
}

function silence(): CasefileError {
  const message = 'The database server does not answer. Repeat the request later.';
  return new CasefileError('store_unreachable', message, { retryable: true });
}
