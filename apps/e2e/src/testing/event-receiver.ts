import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@casefile/contracts';

export interface ReceivedEvent {
  type: string;
  /** Of a message to PagerDuty. */
  event_action?: string;
  data: JsonObject & { caseId?: string; condition?: { id: string } };
}

export interface EventReceiver {
  url: string;
  /** Paths whose events are refused. */
  refuses: Set<string>;
  /** Returns the accepted events of a path, the oldest first. */
  at(path: string): ReceivedEvent[];
  close(): void;
}

/** Starts a receiver of webhooks on loopback that keeps the events of each path. */
export async function eventReceiver(): Promise<EventReceiver> {
  const received: { path: string; event: ReceivedEvent }[] = [];
  const refuses = new Set<string>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      const isRefused = refuses.has(path);
      if (!isRefused)
        received.push({ path, event: JSON.parse(Buffer.concat(parts).toString()) as ReceivedEvent });
      response.writeHead(isRefused ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuses,
    at: (path) => received.filter((one) => one.path === path).map(({ event }) => event),
    close: () => void server.close(),
  };
}
