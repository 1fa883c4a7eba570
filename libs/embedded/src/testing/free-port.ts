import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * First port to try: below the ephemeral ports (Linux: from 32768), so that no connection gets the port
 * first, and above the last port that `fetch` blocks (10080).
 */
const FIRST = 10_100;
const LAST = 32_000;
const TRIES = 100;
/** Ranges of ports, one per worker of the test runner, so that up to eight of them never choose the same port. */
const RANGES = 8;
const SIZE = Math.floor((LAST - FIRST) / RANGES);

/** Ports that were returned. They may not be in use yet. */
const returned = new Set<number>();

/**
 * Returns a TCP port of 127.0.0.1 on which no process listens now, and no port twice. @throws Error if a hundred ports
 * are in use.
 */
export async function freePort(): Promise<number> {
  const first = FIRST + SIZE * (Number(process.env['JEST_WORKER_ID'] ?? 0) % RANGES);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = first + randomInt(SIZE);
    if (returned.has(port)) continue;
    returned.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${TRIES} ports between ${first} and ${first + SIZE} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
