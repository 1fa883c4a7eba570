// npm passes on INT and TERM alone: what it started finds out for itself when npm was ended by another signal.
const LOOK_EVERY_MS = 500;

/** Ends this process in order (SIGTERM) when npm, which started it, is gone. Does nothing if npm did not start it. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  looking.unref();
}
