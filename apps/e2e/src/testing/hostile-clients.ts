import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A client that stays connected until `leave` is called or the server disconnects it. */
export interface HostileClient {
  leave(): void;
}

/** Connects to a port of loopback, sends `write`, and from then on neither ends its request nor reads. */
export async function silentClient(port: number, write = ''): Promise<HostileClient> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(write);
  return { leave: () => void socket.destroy() };
}

/**
 * Sends requests without a pause on a kept connection until one is refused. Returns after the first
 * responses.
 */
export async function busyClient(port: number): Promise<HostileClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answers = 0;
  let isAtIt = (): void => undefined;
  const firstAnswers = new Promise<void>((resolve) => (isAtIt = resolve));
  const ask = (): void => {
    const request = get({ port, host: '127.0.0.1', path: '/health/live', agent }, (response) => {
      answers += 1;
      if (answers === 3) isAtIt();
      response.resume().on('end', ask);
    });
    request.on('error', () => {
      agent.destroy();
      isAtIt();
    });
  };
  ask();
  await firstAnswers;
  return { leave: () => agent.destroy() };
}

const HEAD = 'Host: localhost\r\nContent-Type: application/json\r\n';

/** Every kind of client that could delay a shutdown, with a description. */
export const HOSTILE: readonly (readonly [string, (port: number) => Promise<HostileClient>])[] = [
  ['an idle connection, as a browser opens ahead', (port) => silentClient(port)],
  ['headers that never end', (port) => silentClient(port, `GET /health/live HTTP/1.1\r\n${HEAD}X-Slow: `)],
  [
    'a body that never ends',
    (port) => silentClient(port, `POST /v1/alerts HTTP/1.1\r\n${HEAD}Content-Length: 99\r\n\r\n{`),
  ],
  [
    'an event stream that is not read',
    (port) =>
      silentClient(port, 'GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n'),
  ],
  ['a client that asks without a pause over one connection', busyClient],
];
