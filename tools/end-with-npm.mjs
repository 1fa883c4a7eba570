// npm forwards only INT and TERM. A process started by npm has to notice itself that another signal ended
// npm.
const LOOK_EVERY_MS = 500;

/**
 * Ends this process in order (SIGTERM) when npm is gone. The npm script that started this process sets
 * NPM_PID.
 */
export function endWithNpm() {
  const npm = Number(process.env.NPM_PID);
  // Only the parent of this process, not of its child processes.
  delete process.env.NPM_PID;
  if (!(npm > 0)) return;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  looking.unref();
}
