import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what systems hand out by themselves (Linux: from 32768), so that no connection is given the port before it is listened
 * on; above the last one that `fetch` refuses to ask (10080).
 */
const FIRST = 10_100;
const LAST = 32_000;
const TRIES = 100;

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. @throws Error when a hundred of them are taken. */
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
