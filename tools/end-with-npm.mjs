// Interval of the check. npm forwards only INT and TERM, so a process notices other ends of npm only by
// checking.
const LOOK_EVERY_MS = 500;

/**
 * Ends this process in order (SIGTERM) when npm is gone. The npm script that started this process sets
 * NPM_PID.
 */
export function endWithNpm() {
  const npm = Number(process.env.NPM_PID);
  // The variable is for this process only, not for its children.
  delete process.env.NPM_PID;
  if (!(npm > 0)) return;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  looking.unref();
}
