import type { Clock, Json } from '@casefile/contracts';
import { memoryEngagements } from './memory-engagements.js';
import type { RecordStore } from '../record-store.js';
import { bounded, stored } from '../storable.js';
import { memoryBudgets } from './memory-budgets.js';
import { memoryCallShares } from './memory-call-shares.js';
import { claim, release, renew } from './memory-claim.js';
import { commit } from './memory-commit.js';
import { redrive } from './memory-dead-letters.js';
import { intend, intendForTool } from './memory-intend.js';
import { accept, openRun } from './memory-intake.js';
import { memoryProviderStates } from './memory-provider-states.js';
import { memoryReader } from './memory-reader.js';
import { MemoryState } from './memory-state.js';
import { allDue, delivery, pendingDeliveries, postpone, renudge, sweep } from './memory-sweep.js';
import { claimToolCall, releaseToolCall, renewToolCalls, settleToolCall } from './memory-tool-calls.js';

/** The record in this process's memory: for tests. The same rules as the one in Postgres, under one suite. */
export function createMemoryStore({ clock }: { clock: Clock }): RecordStore {
  const state = new MemoryState(clock);
  const circuits = memoryProviderStates(state);
  return {
    accept: async (request) => {
      const states = await circuits.providerStates();
      const out = states.filter(({ probeInMs }) => probeInMs > 0).map(({ provider }) => provider);
      return accept(state, request, out);
    },
    openRun: async (request) => openRun(state, request),
    claim: async (request) => claim(state, request),
    renew: async (leases, leaseMs) => renew(state, leases, leaseMs),
    intend: async (request) => intend(state, request),
    commit: async (request) => commit(state, request),
    release: async (lease, pauseMs) => release(state, lease, pauseMs),
    intendForTool: async (request) => intendForTool(state, request),
    claimToolCall: async (id, leaseMs) => claimToolCall(state, id, leaseMs),
    renewToolCalls: async (leases, leaseMs) => renewToolCalls(state, leases, leaseMs),
    settleToolCall: async (lease, settlement, more) => settleToolCall(state, lease, settlement, more),
    releaseToolCall: async (lease) => releaseToolCall(state, lease),
    sweep: async (limit) => sweep(state, limit),
    allDue: async (after, limit) => allDue(state, after, limit),
    renudge: async (candidates) => renudge(state, candidates),
    postpone: async (candidates, delayMs) => postpone(state, candidates, delayMs),
    pendingDeliveries: async (limit, olderThanMs) => pendingDeliveries(state, limit, olderThanMs),
    delivery: async (runId) => delivery(state, runId),
    markDelivered: async (ids) => markDelivered(state, ids),
    buryAlert: async ({ id, reasonCode, message, payload }) => {
      const kept = bounded(stored(payload ?? null) as Json);
      if (!state.buried.has(id))
        state.buried.set(id, { ...stored({ id, reasonCode, message }), payload: kept, at: state.now() });
    },
    dropBuriedAlerts: async (ids) => ids.filter((id) => state.buried.delete(id)).length,
    redriveRuns: async (runIds) => runIds.flatMap((runId) => redrive(state, runId)),
    lead: async (name) => lead(state, name),
    backlog: async () => [...state.runs.values()].filter((run) => run.status === 'due').length,
    ping: async () => undefined,
    proveWrites: async () => undefined,
    close: async () => undefined,
    ...memoryReader(state),
    ...circuits,
    ...memoryCallShares(state),
    ...memoryBudgets(state),
    ...memoryEngagements(state),
  };
}

function markDelivered(state: MemoryState, ids: string[]): void {
  for (const id of ids) {
    const entry = state.deliveries.get(id);
    if (entry !== undefined) entry.delivered = true;
  }
}

function lead(state: MemoryState, name: string) {
  if (state.leaders.has(name)) return null;
  state.leaders.add(name);
  return { release: async () => void state.leaders.delete(name) };
}
