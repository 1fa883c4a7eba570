import { asCasefileError, sleep, type Logger } from '@casefile/contracts';

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
      if (tries === 1) log.warn({ error: thrown }, 'the store is away, holding on to what is to be written');
      await sleep(PAUSE_MS, signal);
    }
  }
}
