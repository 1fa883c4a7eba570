import { z } from '@casefile/contracts';
import type { Handler } from '../http/route.js';
import { serveEventStream } from '../live/serve-event-stream.js';

export const streamEventsInput = { query: z.strictObject({ lastEventId: z.string().max(200).optional() }) };

/** Server-sent events after `Last-Event-ID` (or `lastEventId`); from now on when neither is given. */
export const streamEvents: Handler<typeof streamEventsInput> = async ({ feed }, { query }, exchange) => {
  const header = exchange.request.get('last-event-id');
  await serveEventStream(feed, header || query.lastEventId, exchange);
};
