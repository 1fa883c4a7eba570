/**
 * Returns a function that calls `ask` at most once per `ms` milliseconds. All callers within this time share
 * the result.
 */
export function cachedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null;
  return () => {
    if (cached !== null) return cached;
    const answer = (cached = ask());
    const forget = (): void => void (cached === answer && (cached = null));
    setTimeout(forget, ms).unref();
    // Errors are not cached, so the next call asks again.
    answer.catch(forget);
    return answer;
  };
}
