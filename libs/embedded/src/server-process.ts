import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, stat, truncate, readFile, readlink, realpath } from 'node:fs/promises';
import type { RunAs } from './run-as.js';
import { join } from 'node:path';
import { hasCode } from './binaries.js';

/** Settings for running a server. */
export interface ServerSettings {
  postgres: string;
  runAs: RunAs;
  socketDir: string;
  port: number;
  maxConnections: number;
  durable: boolean;
}

/** Size in bytes above which the log is emptied when the server starts. */
const LONGEST_LOG = 5_000_000;
/** Commits survive a crash of the machine. Tests do without this, for speed. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const logFile = (settings: ServerSettings): string => `${settings.runAs.dataDir}.log`;

/**
 * Starts a server in its own process group, so that a Ctrl-C at the terminal does not end it while the
 * services still write. It logs to a file, because a pipe would break when the launcher dies.
 */
export async function spawnServer(settings: ServerSettings): Promise<ChildProcess> {
  const log = logFile(settings);
  if (((await stat(log).catch(() => undefined))?.size ?? 0) > LONGEST_LOG) await truncate(log);
  const { prefix, owner, dataDir } = settings.runAs;
  const [command = '', ...args] = [
    ...prefix,
    settings.postgres,
    '-D',
    dataDir,
    ...serverSettingOptions(settings),
  ];
  const output = openSync(log, 'a', 0o600);
  try {
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      detached: true,
      cwd: '/',
      ...owner,
    });
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

function serverSettingOptions({ socketDir, port, maxConnections, durable }: ServerSettings): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port,
    max_connections: maxConnections,
    logging_collector: 'off',
    // Ends the running statement of a killed client before the statement has its result.
    client_connection_check_interval: 1_000,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? DURABLE : NOT_DURABLE),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Returns the last `bytes` of the server's log. */
export async function logTail(settings: ServerSettings, bytes = 2_000): Promise<string> {
  const file = await open(logFile(settings), 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, bytes));
    await file.read(buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

/** Data of a running server in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  socketDir: string;
}

/** Reads `postmaster.pid`. Returns null if it is missing or incomplete. */
export async function readPostmaster(dataDir: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(dataDir), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  const [pid = '', , , port = '', socketDir = ''] = text.split('\n');
  if (!/^\d+$/.test(pid) || !/^\d+$/.test(port) || socketDir === '') return null;
  return { pid: Number(pid), port: Number(port), socketDir };
}

export const pidFile = (dataDir: string): string => join(dataDir, 'postmaster.pid');

/** Returns whether the process exists, including zombies. */
function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

/** Returns whether the process exists and is no zombie. Without /proc, zombies count as running. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!processExists(pid)) return false;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return state === null ? processExists(pid) : !/\) [ZX] /.test(state);
}

/**
 * Returns whether the process is certainly not a Postgres on this data folder. After a restart of the machine
 * or container, another process may have the id of a stale file, and Postgres would refuse to start. Postgres
 * always works in its data folder.
 */
export async function isStranger(pid: number, dataDir: string): Promise<boolean> {
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return workingFolder !== null && workingFolder !== (await realpath(dataDir));
}
