import { asCasefileError, CasefileError, sleep, type Logger, type ToolRun } from '@casefile/contracts';

/** Wait between two tries, in milliseconds. Work must continue within 2 s of the end of an outage. */
const PAUSE_MS = 500;

/**
 * Repeats a write while the store is unreachable, so that no paid answer is lost. Ends when `signal` is
 * aborted, or with any other error of the store.
 */
export async function retryWhileStoreIsDown<T>(
  signal: AbortSignal,
  log: Logger,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (thrown) {
      if (asCasefileError(thrown).reasonCode !== 'store_unreachable' || signal.aborted) throw thrown;
      if (tries === 1) log.warn({ error: thrown }, 'the store is away: waiting for it');
      await sleep(PAUSE_MS, signal);
    }
  }
}

/**
 * Repeats a tool call while it fails because the database of this system is unreachable. Such a call is no gap of the
 * evidence: the case waits for its database.
 */
export async function runWhileStoreIsDown(
  signal: AbortSignal,
  log: Logger,
  run: () => Promise<ToolRun>,
): Promise<ToolRun> {
  let last: ToolRun | null = null;
  const attempt = async () => {
    last = await run();
    if (last.reasonCode !== 'store_unreachable') return last;
    throw new CasefileError('store_unreachable', last.message ?? '', { retryable: true });
  };
  return retryWhileStoreIsDown(signal, log, attempt).catch((thrown: unknown) => {
    if (last !== null) return last;
    throw thrown;
  });
}
