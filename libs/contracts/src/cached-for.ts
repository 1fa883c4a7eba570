/** Asks at most once in `ms` milliseconds, however often it is called; who calls meanwhile gets the same answer. */
export function cachedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    if (asked !== null) return asked;
    const asking = (asked = ask());
    const forget = (): void => void (asked === asking && (asked = null));
    setTimeout(forget, ms).unref();
    // An error is not an answer: the next one who calls asks again.
    asking.catch(forget);
    return asking;
  };
}
