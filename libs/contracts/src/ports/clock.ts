/** Source of time, so that pure code and tests control the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Source of randomness. */
export interface Ids {
  /** Returns a sortable unique id (UUID v7). */
  id(): string;
  /** Returns `bytes` of randomness as hex, for seeds and fence marks. */
  token(bytes: number): string;
}
