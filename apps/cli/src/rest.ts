/** Waits `ms`, or until `signal` is aborted. */
export function rest(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal?.addEventListener('abort', over);
  });
}
