/** Asks at most once in `ms` milliseconds, however often it is called; who calls meanwhile gets the same answer. */
export function cachedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  // By a clock that nobody sets: one that is set back must not keep an old answer.
  let askedAt = 0;
  return () => {
    if (asked === null || performance.now() - askedAt >= ms) {
      askedAt = performance.now();
      const asking = (asked = ask());
      // An error is not an answer: the next one who calls asks again.
      asking.catch(() => void (asked === asking && (asked = null)));
    }
    return asked;
  };
}
