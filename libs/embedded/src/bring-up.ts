import { CasefileError, type Logger } from '@casefile/contracts';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isStranger,
  pidFile,
  readPostmaster,
  logTail,
  spawnServer,
  type ServerSettings,
} from './server-process.js';
import { joinServer, type ServerUse } from './shared-server.js';

/**
 * Time to retry a refused start. After kill -9, the pid file may name a zombie, and backends may not have
 * ended yet.
 */
const REFUSED_PATIENCE_MS = 5_000;
/** Time limit for a start. Recovery after a crash replays all writes since the last checkpoint. */
const START_PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 15;
/** A wait of this length is logged, once. */
const TELL_AFTER_MS = 500;
const WAITS =
  'Another process uses this data folder and is starting or ending its Postgres: this start waits for it.';
/** Postgres's error if it considers the folder in use. */
const IN_USE = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;

/** A server that answers, which this process has joined. */
export interface Running extends ServerUse {
  startedHere: boolean;
}

/**
 * Attaches to the server that runs on the data folder, or starts one. Of two concurrent callers, one starts
 * the server and the other attaches.
 * @throws CasefileError `postgres_did_not_start` with the end of the server's log.
 */
export async function bringUp(settings: ServerSettings, log: Logger): Promise<Running> {
  const started = Date.now();
  let isTold = false;
  for (;;) {
    if (!isTold && Date.now() - started > TELL_AFTER_MS) {
      isTold = true;
      log.warn({ dataDir: settings.runAs.dataDir }, WAITS);
    }
    const found = await joinServer(settings.runAs.dataDir);
    if (found === 'busy') {
      if (Date.now() - started > START_PATIENCE_MS)
        throw didNotStart('It is starting up, or shutting down, for too long.');
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    if (found !== null) return { ...found, startedHere: false };
    const running = await launch(settings);
    if (running === 'ended') {
      if (Date.now() - started > START_PATIENCE_MS) throw didNotStart(await logTail(settings));
      continue;
    }
    if (running !== null) return running;
    if (Date.now() - started > REFUSED_PATIENCE_MS) throw didNotStart(await logTail(settings));
    await sleep(100);
  }
}

/**
 * Starts a server and waits until it answers. null: it ended immediately, because the folder seems in use.
 * `ended`: the guard of a process that was just killed stopped it before this process joined.
 */
async function launch(settings: ServerSettings): Promise<Running | 'ended' | null> {
  const { dataDir } = settings.runAs;
  await removeStrangersPidFile(dataDir);
  const child = await spawnServer(settings);
  let failure: Error | null = null;
  child.on('error', (error) => (failure = error));
  const started = Date.now();
  while (child.exitCode === null && child.signalCode === null && failure === null) {
    const found = await joinServer(dataDir);
    // Of two concurrent starts, one starts the server and the other joins it.
    if (found !== null && found !== 'busy')
      return { ...found, startedHere: found.postmaster.pid === child.pid };
    if (Date.now() - started > START_PATIENCE_MS) {
      child.kill('SIGQUIT');
      throw didNotStart(await logTail(settings));
    }
    await sleep(LOOK_EVERY_MS);
  }
  if (child.exitCode === 0) return 'ended';
  const said = failure === null ? await logTail(settings) : String(failure);
  if (IN_USE.test(said)) return null;
  throw didNotStart(said);
}

async function removeStrangersPidFile(dataDir: string): Promise<void> {
  const stale = await readPostmaster(dataDir);
  if (stale === null || !(await isStranger(stale.pid, dataDir))) return;
  await rm(pidFile(dataDir), { force: true });
}

function didNotStart(said: string): CasefileError {
  return new CasefileError('postgres_did_not_start', `The embedded Postgres did not start: ${said.trim()}`);
}
