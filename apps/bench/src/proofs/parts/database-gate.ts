import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP address of a Postgres that can be closed and frozen. The server itself keeps running. */
export interface DatabaseGate {
  url: string;
  /** Closes all connections, and refuses new ones. */
  shut(): void;
  /** Accepts connections, but passes nothing on, like a server stopped by SIGSTOP. */
  freeze(): void;
  /** Closes all connections, and refuses new ones as a server does whose connections are all in use. */
  fill(): void;
  open(): void;
  close(): Promise<void>;
}

/** Fields of the error message that a server sends before it closes a connection for which it has no room. */
const NO_ROOM = ['SFATAL', 'VFATAL', 'C53300', 'Msorry, too many clients already'];

/** @param databaseUrl URL of a database whose `host` parameter is the folder of the server's socket. */
export async function databaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = url.searchParams.get('port') ?? (url.port || '5432');
  const target = folder === null ? { host: url.hostname, port: Number(port) } : `${folder}/.s.PGSQL.${port}`;
  const pairs = new Set<[Socket, Socket]>();
  let state: 'open' | 'frozen' | 'full' | 'shut' = 'open';
  const server = createServer((client) => {
    if (state === 'shut') return void client.destroy();
    if (state === 'full') {
      client.on('error', () => undefined);
      return void client.once('data', () => client.end(errorMessage(NO_ROOM)));
    }
    const upstream = typeof target === 'string' ? connect(target) : connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (bytes) => void to.write(bytes));
      from.on('error', end);
      from.on('close', end);
    }
    if (state === 'frozen') for (const one of pair) one.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const destroyAll = (): void => {
    for (const [client, upstream] of [...pairs]) {
      client.destroy();
      upstream.destroy();
    }
  };
  const address = server.address() as AddressInfo;
  const name = url.pathname.slice(1);
  return {
    url: `postgresql://${url.username || 'casefile'}@127.0.0.1:${address.port}/${name}`,
    shut: () => {
      state = 'shut';
      destroyAll();
    },
    fill: () => {
      state = 'full';
      destroyAll();
    },
    freeze: () => {
      state = 'frozen';
      for (const pair of pairs) for (const one of pair) one.pause();
    },
    open: () => {
      state = 'open';
      for (const pair of pairs) for (const one of pair) one.resume();
    },
    close: async () => {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns an ErrorResponse of the Postgres protocol: its type, its length, and its fields. */
function errorMessage(fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + length.length);
  return Buffer.concat([Buffer.from('E'), length, body]);
}
