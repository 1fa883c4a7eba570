import { dns } from './dns.js';
import { git } from './git.js';
import { http } from './http.js';
import { postgres } from './postgres.js';
import type { Protocol } from './protocol.js';
import { tls } from './tls.js';

/** Protocols by the name that a source file states. */
export const PROTOCOLS = { http, postgres, git, dns, tls } satisfies Record<string, Protocol>;
export type ProtocolName = keyof typeof PROTOCOLS;

/** Returns the protocol of a data source. */
export const protocolOf = ({ protocol }: { protocol: ProtocolName }): Protocol => PROTOCOLS[protocol];
