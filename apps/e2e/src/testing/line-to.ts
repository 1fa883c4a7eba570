import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server, which can be cut as if the server had stopped. */
export interface Line {
  /** URL of the server by the proxy. */
  url: string;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Takes connections again. @param target URL of another server. Default: the same as before. */
  restore(target?: string): Promise<void>;
}

/** Opens a proxy to the server of a URL, which may name the folder of a Unix socket of Postgres. */
export async function lineTo(target: string): Promise<Line> {
  const url = new URL(target);
  let current = target;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectionTo(current);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(own);
  return {
    url: url.href,
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await closed;
    },
    restore: (other = current) => {
      current = other;
      return listen(own);
    },
  };
}

function connectionTo(target: string): Socket {
  const { hostname, port, searchParams } = new URL(target);
  const folder = searchParams.get('host');
  return folder === null
    ? createConnection(Number(port), hostname)
    : createConnection(`${folder}/.s.PGSQL.${port}`);
}
