import type { JsonObject } from '@casefile/contracts';

/** What came in, counted. */
export interface CallCounts {
  total: number;
  inFlight: number;
  mostInFlight: number;
  /** Calls that were answered in full, faults included. */
  finished: number;
  /** Calls without the header `x-casefile-call`. */
  withoutKey: number;
  /** By call key: `<runId>/<unit>/<stage>/<round>/<step>/<attempt>`. */
  byKey: Record<string, number>;
  /** By call key without its attempt. */
  byStep: Record<string, number>;
}

export interface SeenRequest {
  callKey: string | null;
  body: JsonObject;
}

export interface Ledger {
  /** Counts a call in; returns how often this key came before. */
  begin(callKey: string | null, body: JsonObject): number;
  /** Counts a call out. */
  end(finished: boolean): void;
  counts(): CallCounts;
  /** The newest requests, oldest first. */
  requests(): SeenRequest[];
  reset(): void;
}

const REQUESTS_KEPT = 100;
/** Beyond this a process that runs for months stops telling keys apart. */
const KEYS_KEPT = 500_000;

/** Counts in memory. Calls that are under way stay counted as in flight over a reset. */
export function createLedger(): Ledger {
  let counts = { total: 0, inFlight: 0, mostInFlight: 0, finished: 0, withoutKey: 0 };
  const byKey = new Map<string, number>();
  const byStep = new Map<string, number>();
  const requests: SeenRequest[] = [];
  return {
    begin(callKey, body) {
      counts.total += 1;
      counts.inFlight += 1;
      counts.mostInFlight = Math.max(counts.mostInFlight, counts.inFlight);
      requests.push({ callKey, body });
      if (requests.length > REQUESTS_KEPT) requests.shift();
      if (callKey === null) {
        counts.withoutKey += 1;
        return counts.withoutKey - 1;
      }
      add(byStep, callKey.replace(/\/[^/]*$/, ''));
      return add(byKey, callKey);
    },
    end(finished) {
      counts.inFlight -= 1;
      if (finished) counts.finished += 1;
    },
    counts: () => ({ ...counts, byKey: Object.fromEntries(byKey), byStep: Object.fromEntries(byStep) }),
    requests: () => [...requests],
    reset() {
      const { inFlight } = counts;
      counts = { total: 0, inFlight, mostInFlight: inFlight, finished: 0, withoutKey: 0 };
      byKey.clear();
      byStep.clear();
      requests.length = 0;
    },
  };
}

function add(map: Map<string, number>, key: string): number {
  const before = map.get(key) ?? 0;
  if (before > 0 || map.size < KEYS_KEPT) map.set(key, before + 1);
  return before;
}
