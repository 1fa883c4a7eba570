import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@casefile/embedded/testing';
import { seededRandom } from '@casefile/contracts';

/** Destinations of the run. All but `good` are faulty. */
export const RECEIVERS = ['good', 'dead', 'refuses', 'hangs', 'closes'] as const;
export type ReceiverName = (typeof RECEIVERS)[number];

/** The sender stops waiting after 15 s. */
const HANG_MS = 60_000;
/** Shares of the requests that fail. */
const SHARES: Partial<Record<ReceiverName, number>> = { refuses: 1 / 3, hangs: 1 / 10, closes: 1 / 3 };

/** A request that a receiver answered with 2xx. */
export interface AcceptedRequest {
  deliveryId: string;
  runId: string;
  at: number;
}

export interface FaultyReceiver {
  name: ReceiverName;
  url: string;
  /** Number of requests that were read, accepted or not. */
  requests(): number;
  accepted: AcceptedRequest[];
  /** Opens the port. Until then connections are refused. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prepares a receiver whose faults depend only on the seed, the number in the name of the alert's instance and
 * the number of the attempt. So the same deliveries fail in every run, in whatever order they arrive.
 * @param faults `isFaulty`: false for a receiver that accepts everything.
 */
export async function faultyReceiver(
  name: ReceiverName,
  faults: { seed: number; isFaulty: boolean },
): Promise<FaultyReceiver> {
  const share = faults.isFaulty ? (SHARES[name] ?? 0) : 0;
  const port = await freePort();
  const accepted: AcceptedRequest[] = [];
  const attempts = new Map<string, number>();
  const ended = new AbortController();
  const fails = (text: string, deliveryId: string): boolean => {
    const attempt = (attempts.get(deliveryId) ?? 0) + 1;
    attempts.set(deliveryId, attempt);
    const instance = Number(/instance n(\d+)/.exec(text)?.[1]);
    const random = seededRandom(faults.seed * 1_000_003 + instance * 101 + attempt);
    // The first value of neighbouring seeds is similar.
    random();
    return random() < share;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const { data } = JSON.parse(text) as { data: { deliveryId: string; runId: string } };
    if (fails(text, data.deliveryId)) {
      if (name === 'closes') return void request.socket.destroy();
      if (name === 'hangs') await pause(HANG_MS, undefined, { signal: ended.signal, ref: false });
      return void response.writeHead(500).end();
    }
    accepted.push({ deliveryId: data.deliveryId, runId: data.runId, at: Date.now() });
    response.writeHead(202).end();
  };
  const server = createServer((request, response) => {
    // The sender's process may be killed while it sends.
    answer(request, response).catch(() => request.socket.destroy());
  });
  return {
    name,
    url: `http://127.0.0.1:${port}/${name}`,
    requests: () => [...attempts.values()].reduce((sum, n) => sum + n, 0),
    accepted,
    listen: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    close: async () => {
      ended.abort();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
