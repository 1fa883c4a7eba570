import { http } from './http.js';
import { postgres } from './postgres.js';
import type { Protocol } from './protocol.js';

/** Protocols by the name that a source file states. */
export const PROTOCOLS = { http, postgres } satisfies Record<string, Protocol>;
export type ProtocolName = keyof typeof PROTOCOLS;

/** Returns the protocol of a data source. */
export const protocolOf = ({ protocol }: { protocol: ProtocolName }): Protocol => PROTOCOLS[protocol];
