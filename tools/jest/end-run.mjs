// `node end-run.mjs PID DIR`: waits until the test run with this process id has ended, even if it was killed.
// Then it ends the processes left by the run, recognised by their TMPDIR, and removes the run's folder. A
// killed run cannot clean up itself.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [pid, dir] = [Number(process.argv[2]), process.argv[3]];
/** Time for servers and services to stop in order. */
const STOP_WITHIN_MS = 10_000;

while (isRunning(pid)) await pause(500);
for (const until = Date.now() + STOP_WITHIN_MS; Date.now() < until && endRemaining('SIGTERM') > 0;)
  await pause(250);
endRemaining('SIGKILL');
rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

function isRunning(process_) {
  try {
    process.kill(process_, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sends the signal to every process of the run. Returns the number of processes: 0 if the system has no
 * /proc.
 */
function endRemaining(signal) {
  const ids = processIds().filter((id) => readText(`/proc/${id}/environ`).includes(`TMPDIR=${dir}/`));
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // The process has ended in the meantime.
    }
  }
  return ids.length;
}

function processIds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
