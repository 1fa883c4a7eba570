import { asCasefileError, CasefileError, type Logger } from '@casefile/contracts';
import type { ChildProcess } from 'node:child_process';
import { realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isRunning,
  isStranger,
  pidFile,
  readPostmaster,
  type Postmaster,
  logTail,
  spawnServer,
  type ServerSettings,
} from './server-process.js';
import { SUPERUSER, socketFile } from './server-url.js';
import { simpleQuery } from './simple-query.js';

/** After kill -9 the pid file may name a zombie, and backends need a moment to notice: Postgres then refuses. */
const REFUSED_PATIENCE_MS = 5_000;
/** Recovery after a crash replays what was written since the last checkpoint. */
const START_PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 15;
/** A wait of this long is told, once. */
const TELL_AFTER_MS = 500;
const WAITS =
  'Another process uses this data folder and is starting or ending its Postgres: this start waits for it.';
/** What Postgres says when it takes the folder for one in use. */
const IN_USE = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;

/** A server that answers; `child` when it is ours. */
export interface Running {
  postmaster: Postmaster;
  child: ChildProcess | null;
}

/**
 * Attaches to the server that runs on the data folder, or starts one. Of two callers at once one
 * starts it and the other attaches.
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
    const found = await findRunning(settings.runAs.dataDir);
    if (found === 'starting') {
      if (Date.now() - started > START_PATIENCE_MS)
        throw didNotStart('It is starting up, or shutting down, for too long.');
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    if (found !== null) return { postmaster: found, child: null };
    const running = await launch(settings);
    if (running !== null) return running;
    if (Date.now() - started > REFUSED_PATIENCE_MS) throw didNotStart(await logTail(settings));
    await sleep(100);
  }
}

/** Starts a server and waits until it answers. Null: it ended at once since the folder seems in use. */
async function launch(settings: ServerSettings): Promise<Running | null> {
  const { dataDir } = settings.runAs;
  await removeStrangersPidFile(dataDir);
  const child = await spawnServer(settings);
  let failure: Error | null = null;
  child.on('error', (error) => (failure = error));
  const started = Date.now();
  while (child.exitCode === null && child.signalCode === null && failure === null) {
    const found = await findRunning(dataDir);
    if (found !== null && found !== 'starting' && found.pid === child.pid)
      return { postmaster: found, child };
    if (Date.now() - started > START_PATIENCE_MS) {
      child.kill('SIGQUIT');
      throw didNotStart(await logTail(settings));
    }
    await sleep(LOOK_EVERY_MS);
  }
  const said = failure === null ? await logTail(settings) : String(failure);
  if (IN_USE.test(said)) return null;
  throw didNotStart(said);
}

/** The server that answers on this data folder; `starting`: there is one that does not take queries now. */
async function findRunning(dataDir: string): Promise<Postmaster | 'starting' | null> {
  const postmaster = await readPostmaster(dataDir);
  if (postmaster === null || !(await isRunning(postmaster.pid))) return null;
  const socket = socketFile(postmaster.socketDir, postmaster.port);
  try {
    const [folder] = await simpleQuery(
      { socket, user: SUPERUSER, database: 'postgres' },
      'show data_directory',
    );
    return folder !== undefined && (await realpath(folder)) === (await realpath(dataDir)) ? postmaster : null;
  } catch (error) {
    // 57P03: cannot connect now. Anything else (no socket, refused) is for Postgres itself to judge.
    const { reasonCode, details } = asCasefileError(error);
    if (details['sqlState'] === '57P03') return 'starting';
    if (reasonCode === 'postgres_unreachable') return null;
    throw error;
  }
}

async function removeStrangersPidFile(dataDir: string): Promise<void> {
  const stale = await readPostmaster(dataDir);
  if (stale === null || !(await isStranger(stale.pid, dataDir))) return;
  await rm(pidFile(dataDir), { force: true });
}

function didNotStart(said: string): CasefileError {
  return new CasefileError('postgres_did_not_start', `The embedded Postgres did not start: ${said.trim()}`);
}
