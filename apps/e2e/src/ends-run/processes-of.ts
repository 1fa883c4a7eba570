import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Variable that identifies a program and all processes that it started, even after their parents ended. */
export const MARK = 'ENDS_RUN_ROW';

export interface RunningProcess {
  pid: number;
  command: string;
}

interface Process extends RunningProcess {
  parent: number;
  isMarked: boolean;
}

/**
 * Returns all processes that were started with this mark or work in this folder, with their children:
 * Postgres overwrites the environment of its own children.
 */
export function processesOf(mark: string, dir: string): RunningProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => processOf(pid, mark, dir));
  const byPid = new Map(all.filter(({ isMarked }) => isMarked).map((one) => [one.pid, one]));
  for (let before = -1; before < byPid.size;) {
    before = byPid.size;
    for (const one of all) if (byPid.has(one.parent)) byPid.set(one.pid, one);
  }
  return [...byPid.values()].map(({ pid, command }) => ({ pid, command }));
}

// The process may end at this moment.
function processOf(pid: string, mark: string, dir: string): Process[] {
  try {
    const [, state = '', parent = ''] = /^\d+ \(.*\) (\S) (\d+)/s.exec(read(`/proc/${pid}/stat`)) ?? [];
    if (state === '' || state === 'Z' || state === 'X') return [];
    const isMarked =
      read(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`) ||
      readlinkSync(`/proc/${pid}/cwd`).startsWith(dir);
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    return [{ pid: Number(pid), parent: Number(parent), command, isMarked }];
  } catch {
    return [];
  }
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
