import { CasefileError } from '@casefile/contracts';
import { createConnection, type Socket } from 'node:net';

/** Protocol version 3.0, as encoded in the first message. */
const PROTOCOL = 196_608;
/** Name of these sessions in `pg_stat_activity`. */
export const APPLICATION_NAME = 'casefile-embedded';
/**
 * Time limit for an answer, longer than any start-up check takes. A stopped process (SIGSTOP) accepts
 * connections but never answers.
 */
const PATIENCE_MS = 5_000;

/** The Unix socket of a server, and the role and database of a session on it. */
export interface SocketAddress {
  socket: string;
  user: string;
  database: string;
}

interface Waiting {
  rows: string[];
  resolve(rows: string[]): void;
  reject(error: CasefileError): void;
}

/**
 * One session over Postgres's simple protocol, for one statement at a time. It checks whether the server is
 * ready, creates databases and holds locks. The store uses a full driver. An idle session does not keep the
 * process alive.
 */
export class Session {
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  /** Whether the connection has ended. */
  isLost = false;
  private pending: Buffer = Buffer.alloc(0);
  private waiting: Waiting | null = null;
  private failure: CasefileError | null = null;

  private constructor(
    private readonly address: SocketAddress,
    private readonly socket: Socket,
  ) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('timeout', () => this.break('no answer'));
    socket.on('error', (error) => this.break(error.message, error));
    socket.on('close', () => this.break('closed the connection'));
    socket.on('connect', () => socket.write(startup(address)));
    socket.on('data', (chunk: Buffer) => this.read(chunk));
  }

  /**
   * Opens a session. @throws CasefileError `postgres_error` with the SQLSTATE for a refusal,
   * `postgres_unreachable` otherwise.
   */
  static async open(address: SocketAddress): Promise<Session> {
    const session = new Session(address, createConnection(address.socket));
    try {
      await session.answer();
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /**
   * Runs one statement and returns the first column of every row.
   * @throws CasefileError `postgres_error` for an error of the server, `postgres_unreachable` otherwise.
   */
  async query(sql: string): Promise<string[]> {
    if (!this.isLost) this.socket.write(message('Q', `${sql}\0`));
    return this.answer();
  }

  close(): void {
    this.socket.destroy();
  }

  // Waits until the server is ready for the next statement.
  private async answer(): Promise<string[]> {
    if (this.isLost) throw this.failure ?? this.unreachable('closed the connection');
    this.socket.ref();
    this.socket.setTimeout(PATIENCE_MS);
    try {
      return await new Promise((resolve, reject) => (this.waiting = { rows: [], resolve, reject }));
    } finally {
      this.waiting = null;
      this.socket.setTimeout(0);
      this.socket.unref();
    }
  }

  private read(chunk: Buffer): void {
    this.pending = Buffer.concat([this.pending, chunk]);
    while (this.pending.length >= 5 && this.pending.length > this.pending.readInt32BE(1)) {
      const end = this.pending.readInt32BE(1) + 1;
      this.take(String.fromCharCode(this.pending[0] ?? 0), this.pending.subarray(5, end));
      this.pending = this.pending.subarray(end);
    }
  }

  private take(type: string, body: Buffer): void {
    if (type === 'D') this.waiting?.rows.push(firstColumn(body));
    if (type === 'E') this.failure = serverError(body);
    if (type !== 'Z') return;
    if (this.failure === null) return this.waiting?.resolve(this.waiting.rows);
    this.waiting?.reject(this.failure);
    this.failure = null;
  }

  private break(why: string, cause?: unknown): void {
    this.isLost = true;
    this.failure ??= this.unreachable(why, cause);
    this.waiting?.reject(this.failure);
    this.socket.destroy();
  }

  private unreachable(why: string, cause?: unknown): CasefileError {
    return new CasefileError('postgres_unreachable', `Postgres at ${this.address.socket}: ${why}`, {
      retryable: true,
      cause,
    });
  }
}

/**
 * Runs one statement in a separate session and returns the first column of every row. @throws as `Session`.
 */
export async function simpleQuery(address: SocketAddress, sql: string): Promise<string[]> {
  const session = await Session.open(address);
  try {
    return await session.query(sql);
  } finally {
    session.close();
  }
}

function startup({ user, database }: SocketAddress): Buffer {
  const settings = { user, database, application_name: APPLICATION_NAME, client_encoding: 'UTF8' };
  const words = Buffer.from(`${Object.entries(settings).flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(words.length + 8, 0);
  head.writeInt32BE(PROTOCOL, 4);
  return Buffer.concat([head, words]);
}

function message(type: string, text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function firstColumn(body: Buffer): string {
  const length = body.readInt32BE(2);
  return length < 0 ? '' : body.toString('utf8', 6, 6 + length);
}

/** Each field of an error is a letter and a text: `C` is the SQLSTATE, `M` the message. */
function serverError(body: Buffer): CasefileError {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .filter((field) => field !== '')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  );
  const details = { sqlState: fields.get('C') };
  return new CasefileError('postgres_error', fields.get('M') ?? 'unknown error', { details });
}
