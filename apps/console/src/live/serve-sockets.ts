import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { asCasefileError, type Logger, type Role } from '@casefile/contracts';
import { endWhenRefused, isKnownHost, isSameOrigin, problemOf, type AccessGuard } from '@casefile/runtime';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ReadingLog } from '../http/reading-log.js';
import { BUFFER_LIMIT_BYTES, HEARTBEAT_MS, type EventFeed, type EventSink } from './event-feed.js';

/** RFC 6455 close codes: 1001 "going away", 1013 "try again later". */
const CLOSE_CODE = { stopping: 1001, too_slow: 1013, displaced: 1013 } as const;
/** Path of the WebSocket, for the guard as well. */
export const SOCKET_PATH = '/ws';
/** Status lines of refused upgrades, by status. */
const REFUSALS: Record<number, string> = {
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
};
/** Limit of incoming bytes. Clients only listen. */
const MAX_INCOMING_BYTES = 1_024;

/**
 * Logger of the sockets, and the host names, besides loopback names, by which clients may reach the console.
 */
export interface SocketOptions {
  log: Logger;
  hosts: readonly string[];
  guard: Pick<AccessGuard, 'admit'>;
  /** Logs who read the content of events. */
  readings: Pick<ReadingLog, 'noteContent'>;
}

/**
 * Serves the events over `/ws?lastEventId=`, one JSON text frame per event. Returns a function that closes
 * all sockets. Every upgrade request is answered or its socket is closed: nothing in a request can make this
 * function throw.
 */
export function serveSockets(
  server: Server,
  feed: EventFeed,
  { log, hosts, guard, readings }: SocketOptions,
): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_INCOMING_BYTES });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Add this listener first: an error on a socket without a listener ends the process.
    socket.on('error', (error) => log.debug({ error }, 'a socket broke'));
    if (!isKnownHost(request, hosts)) return refuse(socket, '421 Misdirected Request');
    if (!isSameOrigin(request)) return refuse(socket, '403 Forbidden');
    const streamRequest = requestedStream(request.url);
    if (streamRequest === null) return refuse(socket, '404 Not Found');
    void accept(sockets, feed, { request, socket, head, ...streamRequest }, { log, guard, readings });
  };
  server.on('upgrade', upgrade);
  const heartbeat = setInterval(() => sockets.clients.forEach(checkAlive), HEARTBEAT_MS);
  return async () => {
    server.off('upgrade', upgrade);
    clearInterval(heartbeat);
    for (const client of sockets.clients) client.terminate();
    await new Promise<void>((resolve) => sockets.close(() => resolve()));
  };
}

/**
 * Returns the start position of a request for `/ws`; null: another path. A request line can contain anything.
 */
function requestedStream(target: string | undefined): { lastEventId: string | undefined } | null {
  const [path, query = ''] = (target ?? '').split('?', 2);
  if (path !== SOCKET_PATH) return null;
  return { lastEventId: new URLSearchParams(query).get('lastEventId') || undefined };
}

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  lastEventId: string | undefined;
}

async function accept(
  sockets: WebSocketServer,
  feed: EventFeed,
  { request, socket, head, lastEventId }: Upgrade,
  { log, guard, readings }: Omit<SocketOptions, 'hosts'>,
) {
  try {
    const caller = await guard.admit(request, 'GET', SOCKET_PATH);
    const { role } = caller;
    await readings.noteContent({ path: SOCKET_PATH, isItem: false }, caller);
    const cursor = await feed.startAt(lastEventId);
    sockets.handleUpgrade(request, socket, head, (client) =>
      listen(client, socket, { feed, cursor, request, role }),
    );
  } catch (thrown) {
    const error = asCasefileError(thrown);
    const status = REFUSALS[problemOf(thrown).problem.status];
    if (status !== undefined) return refuse(socket, status);
    if (error.reasonCode !== 'overloaded' && !socket.destroyed)
      log.warn({ error }, 'a socket could not be served');
    refuse(socket, '503 Service Unavailable');
  }
}

function listen(
  client: WebSocket,
  socket: Duplex,
  {
    feed,
    cursor,
    request,
    role,
  }: { feed: EventFeed; cursor: string | null; request: IncomingMessage; role: Role | null },
): void {
  alive.add(client);
  client.on('pong', () => alive.add(client));
  // `close` follows every error and does the cleanup.
  client.on('error', () => undefined);
  const sink: EventSink = {
    send: (batch) => sendFrames(client, socket, batch.frames),
    hasRoom: () => client.bufferedAmount < BUFFER_LIMIT_BYTES,
    close: (reason) => client.close(CLOSE_CODE[reason], reason),
  };
  const leave = feed.listen(cursor, sink, { address: request.socket.remoteAddress, role });
  const unwatch = endWhenRefused(request, () => client.terminate());
  client.on('close', () => {
    unwatch();
    leave();
  });
}

// Writes a whole batch to the socket in one call. Each event is a text frame of its own.
function sendFrames(client: WebSocket, socket: Duplex, frames: readonly Buffer[]): void {
  socket.cork();
  for (const frame of frames) client.send(frame, { binary: false });
  socket.uncork();
}

/** Clients that have answered since the last ping. */
const alive = new WeakSet<WebSocket>();

function checkAlive(client: WebSocket): void {
  if (!alive.delete(client)) return client.terminate();
  client.ping();
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
