import { asCasefileError } from '@casefile/contracts';
import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, readPostmaster, type Postmaster } from './server-process.js';
import { SUPERUSER, socketFile } from './server-url.js';
import { APPLICATION_NAME, Session } from './session.js';

/**
 * Advisory lock that counts the processes of a shared server. Each holds it in shared mode while its session
 * lives. The process that gets it in exclusive mode is the last one. It ends the server, and no other process
 * can join meanwhile.
 */
const LOCK = 0x63_61_73_65;
const JOIN = `select pg_try_advisory_lock_shared(${LOCK})`;
const TAKE_ALONE = `select pg_try_advisory_lock(${LOCK})`;
const LEAVE = `select case when pg_advisory_unlock_shared(${LOCK}) then pg_try_advisory_lock(${LOCK}) end`;
const OTHER_CLIENTS = `select count(*) from pg_stat_activity
  where backend_type = 'client backend' and application_name <> '${APPLICATION_NAME}'`;
/** Steps of a stop: a fast shutdown, then one without a checkpoint, then a kill. In milliseconds. */
const STOP_STEPS = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 3_000 },
  { signal: 'SIGKILL', patienceMs: 3_000 },
] as const;

/** A server that answers, with the session that counts this process as a user. */
export interface ServerUse {
  postmaster: Postmaster;
  session: Session;
}

/**
 * Joins the server that runs on this data folder. `busy`: the server is starting or ending. null: there is
 * none.
 */
export async function joinServer(dataDir: string): Promise<ServerUse | 'busy' | null> {
  const found = await openSession(dataDir);
  if (found === null || found === 'busy') return found;
  if (await isTrue(found.session, JOIN)) return found;
  found.session.close();
  return 'busy';
}

/**
 * Leaves the server. Returns whether this process was its last user and must end it; false also if the
 * session is lost.
 */
export async function leaveServer(session: Session): Promise<boolean> {
  return isTrue(session, LEAVE);
}

/**
 * Ends a server, in order if possible. `late` is called with each signal that did not end the server in time.
 */
export async function endServer(pid: number, late: (signal: NodeJS.Signals) => void): Promise<void> {
  for (const { signal, patienceMs } of STOP_STEPS) {
    if (await endedAfter(pid, signal, patienceMs)) return;
    late(signal);
  }
}

/** A process killed with -9 may have left a server that has not written its pid file yet. */
const APPEARS_WITHIN_MS = 3_000;
/**
 * Time limit for a server that starts, ends, or is still held by the session of a process that was just
 * killed.
 */
const PATIENCE_MS = 60_000;
/** Longer than the ordered stop of services whose launcher has ended. */
const CLIENTS_LEAVE_WITHIN_MS = 25_000;
const LOOK_EVERY_MS = 200;

/**
 * Ends the server of a data folder whose user ended without leaving it. Other users keep the server. Clients
 * that are not users, such as services whose launcher was killed, have time to stop first.
 */
export async function endAbandonedServer(dataDir: string): Promise<void> {
  for (const started = Date.now(); Date.now() - started < PATIENCE_MS; await sleep(LOOK_EVERY_MS)) {
    const found = await openSession(dataDir);
    if (found === null && Date.now() - started > APPEARS_WITHIN_MS) return;
    if (found === null || found === 'busy') continue;
    const { session, postmaster } = found;
    try {
      if (!(await isTrue(session, TAKE_ALONE))) continue;
      await untilAlone(session);
      return await endServer(postmaster.pid, () => undefined);
    } finally {
      session.close();
    }
  }
}

async function untilAlone(session: Session): Promise<void> {
  for (
    const started = Date.now();
    Date.now() - started < CLIENTS_LEAVE_WITHIN_MS;
    await sleep(LOOK_EVERY_MS)
  ) {
    const [others = '0'] = await session.query(OTHER_CLIENTS).catch(() => ['0']);
    if (Number(others) === 0) return;
  }
}

async function openSession(dataDir: string): Promise<ServerUse | 'busy' | null> {
  const postmaster = await readPostmaster(dataDir);
  if (postmaster === null || !(await isRunning(postmaster.pid))) return null;
  const socket = socketFile(postmaster.socketDir, postmaster.port);
  let session: Session | null = null;
  try {
    session = await Session.open({ socket, user: SUPERUSER, database: 'postgres' });
    const [folder] = await session.query('show data_directory');
    if (folder !== undefined && (await realpath(folder)) === (await realpath(dataDir)))
      return { postmaster, session };
    session.close();
    return null;
  } catch (error) {
    session?.close();
    // For other connection errors (no socket, connection refused), a start of Postgres decides what to do.
    if (isEnding(error)) return 'busy';
    if (asCasefileError(error).reasonCode === 'postgres_unreachable') return null;
    throw error;
  }
}

// 57P03: cannot connect now. 57P01 to 57P02: a shutdown or a crash ended the session.
function isEnding(error: unknown): boolean {
  return /^57P0[123]$/.test(String(asCasefileError(error).details['sqlState']));
}

async function isTrue(session: Session, sql: string): Promise<boolean> {
  try {
    const [answer] = await session.query(sql);
    return answer === 't';
  } catch (error) {
    if (isEnding(error) || asCasefileError(error).reasonCode === 'postgres_unreachable') return false;
    throw error;
  }
}

async function endedAfter(pid: number, signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
  if (!(await isRunning(pid))) return true;
  process.kill(pid, signal);
  for (const started = Date.now(); Date.now() - started < patienceMs; await sleep(10)) {
    if (!(await isRunning(pid))) return true;
  }
  return false;
}
