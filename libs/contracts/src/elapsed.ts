/**
 * Returns the milliseconds from `at` to `now`. Infinity if the clock was set back in between, so that nothing stays valid,
 * counted or paused until the clock has caught up.
 */
export function elapsedMs(now: number, at: number): number {
  return now < at ? Infinity : now - at;
}
