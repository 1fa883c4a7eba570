import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * First port to try: below the ephemeral ports (Linux: from 32768), so that no connection gets the port
 * first, and above the last port that `fetch` blocks (10080).
 */
const FIRST = 10_100;
const LAST = 32_000;
const TRIES = 100;

/**
 * Returns a TCP port of 127.0.0.1 on which no process listens now. @throws Error if a hundred ports are in
 * use.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${TRIES} ports between ${FIRST} and ${LAST} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
