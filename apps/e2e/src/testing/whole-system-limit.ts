/** Limit for a wait during which a whole system starts, is killed repeatedly or works through many cases. */
export const WHOLE_SYSTEM_MS = 300_000;
