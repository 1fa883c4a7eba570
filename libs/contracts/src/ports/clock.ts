/** Source of time, so that pure code and tests control the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Knows whether this process stood still: frozen, out of processor time, or moved to another machine. Time limits of
 * its calls then exceed their time although no server was slow.
 */
export interface Standstill {
  /** Returns a mark of this moment. */
  mark(): number;
  /** Returns the milliseconds in which the process stood still since a mark, each time for a second or longer. */
  since(mark: number): number;
}

/** Source of randomness. */
export interface Ids {
  /** Returns a sortable unique id (UUID v7). */
  id(): string;
  /** Returns `bytes` of randomness as hex, for seeds and fence marks. */
  token(bytes: number): string;
}
