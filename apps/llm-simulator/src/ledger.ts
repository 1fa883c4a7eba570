import type { JsonObject } from '@casefile/contracts';
import type { Protocol } from './wires/wire.js';

/** Counts of received calls. */
export interface CallCounts {
  total: number;
  inFlight: number;
  mostInFlight: number;
  /** Calls that were answered completely, including faults. */
  finished: number;
  /** Calls without the header `x-casefile-call`. */
  withoutKey: number;
  /** Calls of a step after the same wire had reported an exhausted quota to that step. */
  quotaRetried: number;
  /** Calls per call key: `<runId>/<unit>/<stage>/<round>/<step>/<attempt>`. */
  byKey: Record<string, number>;
  /** Calls per call key without its attempt. */
  byStep: Record<string, number>;
  /** Calls per behaviour or fault, by name. `refused`: requests that no real server accepts. */
  byKind: Record<string, number>;
  byProtocol: Record<string, number>;
}

export interface SeenRequest {
  callKey: string | null;
  protocol: Protocol;
  body: JsonObject;
}

export interface Ledger {
  /** Counts the start of a call. Returns the number of earlier calls with this key. */
  begin(request: SeenRequest): number;
  /** Counts the behaviour that a call gets. */
  gets(request: SeenRequest, kind: string): void;
  /** Counts the end of a call. */
  end(finished: boolean): void;
  counts(): CallCounts;
  /** The newest requests, oldest first. */
  requests(): SeenRequest[];
  reset(): void;
}

const REQUESTS_KEPT = 100;
/** Maximum number of distinct keys, so that a process that runs for months stays small. */
const KEYS_KEPT = 500_000;
const NONE = { total: 0, inFlight: 0, mostInFlight: 0, finished: 0, withoutKey: 0, quotaRetried: 0 };

/** Returns a ledger in memory. Calls in flight stay counted as such after a reset. */
export function createLedger(): Ledger {
  let counts = { ...NONE };
  const [byKey, byStep, byKind, byProtocol, spent] = [counter(), counter(), counter(), counter(), counter()];
  const requests: SeenRequest[] = [];
  return {
    begin(request) {
      counts.total += 1;
      counts.inFlight += 1;
      counts.mostInFlight = Math.max(counts.mostInFlight, counts.inFlight);
      add(byProtocol, request.protocol);
      requests.push(request);
      if (requests.length > REQUESTS_KEPT) requests.shift();
      if (request.callKey === null) {
        counts.withoutKey += 1;
        return counts.withoutKey - 1;
      }
      if (spent.has(seenRequestPlace(request))) counts.quotaRetried += 1;
      add(byStep, callKeyStep(request.callKey));
      return add(byKey, request.callKey);
    },
    gets(request, kind) {
      add(byKind, kind);
      if (kind === 'quota' && request.callKey !== null) add(spent, seenRequestPlace(request));
    },
    end(finished) {
      counts.inFlight -= 1;
      if (finished) counts.finished += 1;
    },
    counts: () => ({
      ...counts,
      byKey: Object.fromEntries(byKey),
      byStep: Object.fromEntries(byStep),
      byKind: Object.fromEntries(byKind),
      byProtocol: Object.fromEntries(byProtocol),
    }),
    requests: () => [...requests],
    reset() {
      const { inFlight } = counts;
      counts = { ...NONE, inFlight, mostInFlight: inFlight };
      for (const map of [byKey, byStep, byKind, byProtocol, spent]) map.clear();
      requests.length = 0;
    },
  };
}

const counter = () => new Map<string, number>();
const callKeyStep = (callKey: string) => callKey.replace(/\/[^/]*$/, '');
const seenRequestPlace = ({ protocol, callKey }: SeenRequest) => `${protocol} ${callKeyStep(callKey ?? '')}`;

function add(map: Map<string, number>, key: string): number {
  const before = map.get(key) ?? 0;
  if (before > 0 || map.size < KEYS_KEPT) map.set(key, before + 1);
  return before;
}
