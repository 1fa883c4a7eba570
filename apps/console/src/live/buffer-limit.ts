/**
 * Bytes that may wait in a listener's socket before it is given nothing more: some pages of events. Those who listen at
 * the same place share the bytes.
 */
export const BUFFER_LIMIT_BYTES = 1024 * 1024;

/** Between two signs of life to a listener: under the idle time-outs of common proxies (60 s). */
export const HEARTBEAT_MS = 15_000;
