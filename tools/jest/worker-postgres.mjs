// One Postgres per Jest worker. Events are visible only after all older transactions of a server have ended,
// so specs of several workers on one server would delay each other's event feeds.
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

let own = null;
let isEnding = false;

/**
 * Points CASEFILE_TEST_POSTGRES to the server of this worker, and starts this server if it does not run yet.
 * Worker 1 uses the server of the whole run. Does nothing if the caller of Jest supplied a server.
 * @returns The process id of the server, or null if it is not known.
 */
export async function useWorkerPostgres() {
  endWithJest();
  const ofRun = process.env.CASEFILE_TEST_POSTGRES_PID;
  if (ofRun === undefined) return null;
  if ((process.env.JEST_WORKER_ID ?? '1') === '1') return Number(ofRun);
  own ??= start(join(dirname(process.env.TMPDIR), `worker-${process.env.JEST_WORKER_ID}-${process.pid}`));
  const server = await own;
  process.env.CASEFILE_TEST_POSTGRES = server.url('postgres');
  return server.pid;
}

/** The guard of the server ends it after this process, which Jest ends without notice. */
async function start(dir) {
  // The server may run as another user. Its socket stands next to its data.
  mkdirSync(dir);
  chmodSync(dir, 0o711);
  const { startEmbeddedPostgres } = await import('../../libs/embedded/dist/index.js');
  return startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), durable: false, log: warnings });
}

/**
 * Ends this worker as soon as Jest no longer listens to it. Connections to servers of the run would keep it alive,
 * and Jest warns about workers that are alive after 500 ms.
 */
function endWithJest() {
  if (isEnding) return;
  isEnding = true;
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount('message') === 0) process.exit(0);
  });
}

/** Logger of test servers: prints warnings and errors. */
export const warnings = {
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
  child: () => warnings,
};
