import { CasefileError } from '@casefile/contracts';
import { createConnection } from 'node:net';

/** Protocol 3.0, as the first message names it. */
const PROTOCOL = 196_608;
/** Longer than any start-up check takes; a stopped process (SIGSTOP) accepts and never answers. */
const PATIENCE_MS = 5_000;

/** Where a server listens, as a Unix socket. */
export interface SocketAddress {
  socket: string;
  user: string;
  database: string;
}

/**
 * Runs one statement over Postgres's simple protocol and returns the first column of every row.
 * Enough to ask "are you ready?" and to create a database; a driver is for the store.
 * @throws CasefileError `postgres_<sqlstate>` for an error of the server, `postgres_unreachable` otherwise.
 */
export function simpleQuery(address: SocketAddress, sql: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(address.socket);
    const rows: string[] = [];
    let pending: Buffer = Buffer.alloc(0);
    let asked = false;
    let failure: CasefileError | undefined;
    const finish = () => {
      socket.destroy();
      if (failure === undefined) resolve(rows);
      else reject(failure);
    };
    const unreachable = (why: string, cause?: unknown) => {
      failure ??= new CasefileError('postgres_unreachable', `Postgres at ${address.socket}: ${why}`, {
        retryable: true,
        cause,
      });
      finish();
    };
    const take = (type: string, body: Buffer) => {
      if (type === 'D') rows.push(firstColumn(body));
      if (type === 'E') failure = serverError(body);
      if (type !== 'Z') return;
      if (asked) return finish();
      asked = true;
      socket.write(message('Q', `${sql}\0`));
    };
    socket.setTimeout(PATIENCE_MS, () => unreachable('no answer'));
    socket.on('error', (error) => unreachable(error.message, error));
    socket.on('close', () => unreachable('closed the connection'));
    socket.on('connect', () => socket.write(startup(address)));
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
        const end = pending.readInt32BE(1) + 1;
        take(String.fromCharCode(pending[0] ?? 0), pending.subarray(5, end));
        pending = pending.subarray(end);
      }
    });
  });
}

function startup({ user, database }: SocketAddress): Buffer {
  const words = Buffer.from(`user\0${user}\0database\0${database}\0client_encoding\0UTF8\0\0`);
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

/** Fields of an error are a letter and a text each: `C` the SQLSTATE, `M` the sentence. */
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
