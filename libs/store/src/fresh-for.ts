/** Asks at most once in `ms` milliseconds, however often it is called; who calls meanwhile gets the same answer. */
export function freshFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    if (asked === null || Date.now() - askedAt >= ms) {
      askedAt = Date.now();
      asked = ask();
      // An error is not an answer: the next one who calls asks anew.
      asked.catch(() => void (asked = null));
    }
    return asked;
  };
}
