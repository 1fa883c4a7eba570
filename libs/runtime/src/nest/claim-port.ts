import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { CasefileError, sleep } from '@casefile/contracts';

/** Longest wait for a stopping service, in milliseconds: longer than any stop takes. */
const STOPS_WITHIN_MS = 25_000;
const LOOK_EVERY_MS = 200;
const LONGEST_COMMAND = 200;
/** State "listening" in the kernel's tables of sockets. */
const LISTENING = '0A';

/**
 * Returns the port, or a free one for 0. If a stopping service still listens there, waits for its end.
 * @throws CasefileError `port_in_use` that names the listening process.
 */
export async function claimPort(port: number, host: string): Promise<number> {
  for (const until = Date.now() + STOPS_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    try {
      return await bindOnce(port, host);
    } catch (error) {
      if (!isInUse(error)) throw error;
      if (Date.now() > until || !(await isStopping(port, host))) throw await portInUse(port, error);
    }
  }
}

/** Returns whether this error means that another process listens on the port. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/**
 * Returns the error of a port on which another process listens. It names that process if this machine reveals
 * it.
 */
export async function portInUse(port: number, cause: unknown): Promise<CasefileError> {
  const holder = await listenerOn(port);
  const by = holder === null ? '' : ` by process ${holder.pid} (${holder.command})`;
  const message = `port ${port} is taken${by}: does Casefile run already? CONSOLE_PORT, INGEST_PORT, ... set other ports`;
  return new CasefileError('port_in_use', message, { cause });
}

async function bindOnce(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

// A stopping service still answers its probes until its port closes.
async function isStopping(port: number, host: string): Promise<boolean> {
  try {
    const at = `http://${host.includes(':') ? `[${host}]` : host}:${port}/health/ready`;
    const response = await fetch(at, { signal: AbortSignal.timeout(2_000) });
    return response.status === 503 && (await response.text()).includes('the service is stopping');
  } catch {
    // The process closed the connection, or does not use HTTP.
    return false;
  }
}

/**
 * Returns the process that listens on a port of this machine; null: `/proc` does not show it to this user.
 */
export async function listenerOn(port: number): Promise<{ pid: number; command: string } | null> {
  const sockets = new Set((await Promise.all(['tcp', 'tcp6'].map((table) => socketsOn(table, port)))).flat());
  if (sockets.size === 0) return null;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''));
    if ((await Promise.all(links)).some((link) => sockets.has(link)))
      return { pid: Number(pid), command: await pidCommand(pid) };
  }
  return null;
}

/** Returns the listening sockets of a port, in the format of `/proc/<pid>/fd`. */
async function socketsOn(table: string, port: number): Promise<string[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([, local = '', , state, , , , , , inode]) =>
    state === LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port
      ? [`socket:[${inode}]`]
      : [],
  );
}

async function pidCommand(pid: string): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return words.replaceAll('\0', ' ').trim().slice(0, LONGEST_COMMAND) || 'its command line is not readable';
}
