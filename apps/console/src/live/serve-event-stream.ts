import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Role } from '@casefile/contracts';
import { endWhenRefused } from '@casefile/runtime';
import { BUFFER_LIMIT_BYTES, HEARTBEAT_MS, type EventFeed, type EventSink } from './event-feed.js';

/** Delay before a client reconnects after a broken connection, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Answers with server-sent events after `lastEventId` until the client leaves. Returns once the stream is
 * open.
 * @throws InvalidInput if `lastEventId` is not an event id. The answer can still be a problem at that time.
 */
export async function serveEventStream(
  feed: EventFeed,
  lastEventId: string | undefined,
  { request, response, role }: { request: IncomingMessage; response: ServerResponse; role: Role | null },
): Promise<void> {
  const cursor = await feed.startAt(lastEventId);
  // The client has left, and its `close` event has already fired. No later event would end the stream.
  if (response.destroyed) return;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    // Without this header nginx would buffer events.
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => response.write(': heartbeat\n\n'), HEARTBEAT_MS);
  const sink: EventSink = {
    send: (batch) => void response.write(batch.stream),
    hasRoom: () => response.writableLength < BUFFER_LIMIT_BYTES,
    close: (reason) => {
      // A client that reads nothing keeps the response open after its end. A late heartbeat would then be an
      // error.
      clearInterval(heartbeat);
      if (reason === 'stopping') response.end();
      else response.destroy();
    },
  };
  const leave = feed.listen(cursor, sink, { address: request.socket.remoteAddress, role });
  const unwatch = endWhenRefused(request, () => response.destroy());
  const gone = (): void => {
    unwatch();
    clearInterval(heartbeat);
    leave();
  };
  request.once('close', gone);
  response.once('close', gone);
}
