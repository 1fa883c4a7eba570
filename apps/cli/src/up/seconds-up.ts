/** The mark that the start script sets when installing and building are done. */
const MARK = 'casefile-up';

/** Seconds since this was asked to start: without what was installed and built before. */
export function secondsUp(): number {
  const startedAt = performance.getEntriesByName(MARK)[0]?.startTime ?? 0;
  return (performance.now() - startedAt) / 1000;
}
