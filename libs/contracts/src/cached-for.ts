/**
 * Returns a function that calls `ask` at most once per `ms` milliseconds. All callers within this time share
 * the result.
 */
export function cachedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    if (asked !== null) return asked;
    const asking = (asked = ask());
    const forget = (): void => void (asked === asking && (asked = null));
    setTimeout(forget, ms).unref();
    // Errors are not cached, so the next call asks again.
    asking.catch(forget);
    return asking;
  };
}
