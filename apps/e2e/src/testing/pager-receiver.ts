import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface PagerReceiver {
  url: string;
  received: Received[];
  /**
   * Refuses the first request of each of the next `messages`. The second one is accepted: after two failures
   * the sender waits for five minutes.
   */
  refuseOnce(messages: number): void;
  close(): void;
}

/** Starts a receiver on loopback that keeps what it gets and answers as PagerDuty does. */
export async function pagerReceiver(): Promise<PagerReceiver> {
  const received: Received[] = [];
  const earlierRequests = new Set<string>();
  let refused = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, text });
      const isNew = !earlierRequests.has(`${path} ${text}`);
      earlierRequests.add(`${path} ${text}`);
      if (isNew) refused -= 1;
      response.writeHead(isNew && refused >= 0 ? 500 : 202, { 'content-type': 'application/json' });
      response.end('{"status":"success","message":"Event processed"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    refuseOnce: (messages) => void (refused = messages),
    close: () => void server.close(),
  };
}
