import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { asCasefileError, InvalidInput, type Logger } from '@casefile/contracts';
import { isKnownHost, isSameOrigin } from '@casefile/runtime';
import { WebSocketServer, type WebSocket } from 'ws';
import { BUFFER_LIMIT_BYTES, HEARTBEAT_MS, type EventFeed, type EventSink } from './event-feed.js';

/** RFC 6455 close codes: 1001 "going away", 1013 "try again later". */
const CLOSE_CODE = { stopping: 1001, too_slow: 1013, displaced: 1013 } as const;
/** Limit of incoming bytes. Clients only listen. */
const MAX_INCOMING_BYTES = 1_024;

/**
 * Logger of the sockets, and the host names, besides loopback names, by which clients may reach the console.
 */
export interface SocketOptions {
  log: Logger;
  hosts: readonly string[];
}

/**
 * Serves the events over `/ws?lastEventId=`, one JSON text frame per event. Returns a function that closes
 * all sockets. Every upgrade request is answered or its socket is closed: nothing in a request can make this
 * function throw.
 */
export function serveSockets(
  server: Server,
  feed: EventFeed,
  { log, hosts }: SocketOptions,
): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_INCOMING_BYTES });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Add this listener first: an error on a socket without a listener ends the process.
    socket.on('error', (error) => log.debug({ error }, 'a socket broke'));
    if (!isKnownHost(request, hosts)) return refuse(socket, '421 Misdirected Request');
    if (!isSameOrigin(request)) return refuse(socket, '403 Forbidden');
    const asked = askedOf(request.url);
    if (asked === null) return refuse(socket, '404 Not Found');
    void accept(sockets, feed, { request, socket, head, ...asked }, log);
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
function askedOf(target: string | undefined): { lastEventId: string | undefined } | null {
  const [path, query = ''] = (target ?? '').split('?', 2);
  if (path !== '/ws') return null;
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
  log: Logger,
) {
  try {
    const cursor = await feed.startAt(lastEventId);
    sockets.handleUpgrade(request, socket, head, (client) =>
      listen(client, socket, { feed, cursor, address: request.socket.remoteAddress }),
    );
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (!(error instanceof InvalidInput) && error.reasonCode !== 'overloaded' && !socket.destroyed)
      log.warn({ error }, 'a socket could not be served');
    refuse(socket, thrown instanceof InvalidInput ? '400 Bad Request' : '503 Service Unavailable');
  }
}

function listen(
  client: WebSocket,
  socket: Duplex,
  { feed, cursor, address }: { feed: EventFeed; cursor: string | null; address: string | undefined },
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
  const leave = feed.listen(cursor, sink, address);
  client.on('close', leave);
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
