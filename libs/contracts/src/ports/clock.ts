/** Time comes in through here, so that pure code and tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Randomness comes in through here. */
export interface Ids {
  /** A sortable unique id (UUID v7). */
  id(): string;
  /** `bytes` of randomness as hex: seeds and fence marks. */
  token(bytes: number): string;
}
