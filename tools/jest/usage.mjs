// Processor time of a spec file: of its worker, of the processes that it started, and of the worker's Postgres.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';

/** Milliseconds per clock tick in /proc. Linux reports 100 ticks per second to programs. */
const TICK_MS = 10;

/** File to which each spec appends one line of JSON; not set: nothing is recorded. */
const FILE = 'CASEFILE_TEST_USAGE';

/** Returns the processor time used so far, in milliseconds, or null on systems without /proc. */
export function usageNow(postgres) {
  try {
    const ofPostgres = postgres === null ? 0 : ticks(postgres, 13, 16) + ofChildren(postgres, postgres);
    return {
      at: Date.now(),
      worker: process.cpuUsage(),
      processes: ticks(process.pid, 15, 16) + ofChildren(process.pid, postgres),
      postgres: ofPostgres,
    };
  } catch {
    return null;
  }
}

/** Appends the usage of a spec file since `before`. Does nothing if nobody asked for it. */
export function recordUsage(file, before, postgres) {
  const to = process.env[FILE];
  const now = usageNow(postgres);
  if (to === undefined || before === null || now === null) return;
  const { user, system } = process.cpuUsage(before.worker);
  const worker = Math.round((user + system) / 1000);
  const usage = {
    file,
    ms: now.at - before.at,
    worker,
    processes: (now.processes - before.processes) * TICK_MS,
    postgres: (now.postgres - before.postgres) * TICK_MS,
  };
  appendFileSync(to, `${JSON.stringify(usage)}\n`);
}

/** Returns the processor time of the processes that this one started and that have ended; 0 without /proc. */
export function endedChildrenMs() {
  try {
    return ticks(process.pid, 15, 16) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Sum of the fields `from` to `to` of /proc/PID/stat, counted from 0, in ticks. */
function ticks(pid, from, to) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may contain blanks. The field after it is number 2.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(from - 2, to - 1).reduce((sum, field) => sum + Number(field), 0);
}

/** Ticks of the living descendants of a process but `besides`, with those of their children that ended. */
function ofChildren(pid, besides) {
  const parents = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(id)]);
    } catch {
      // The process has ended in the meantime.
    }
  }
  const sum = (id) =>
    (parents.get(id) ?? []).reduce((total, child) => {
      if (child === besides) return total;
      try {
        return total + ticks(child, 13, 16) + sum(child);
      } catch {
        return total;
      }
    }, 0);
  return sum(pid);
}
