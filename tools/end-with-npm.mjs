// npm passes on INT and TERM alone: what it started finds out for itself when npm was ended by another signal.
const LOOK_EVERY_MS = 500;

/** Ends this process in order (SIGTERM) when npm, which started it by a script that sets NPM_PID, is gone. */
export function endWithNpm() {
  const npm = Number(process.env.NPM_PID);
  // It is the parent of this process alone, and not of what this process starts.
  delete process.env.NPM_PID;
  if (!(npm > 0)) return;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  looking.unref();
}
