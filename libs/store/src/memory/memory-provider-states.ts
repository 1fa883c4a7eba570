import type { CircuitState, ProviderFailure, ProviderState, ProviderStates } from '@casefile/contracts';
import type { MemoryState } from './memory-state.js';

interface CircuitEntry {
  state: CircuitState;
  openedUntil: number;
  probeUntil: number;
  reason: string | null;
  failures: number;
  openings: number;
  changedAt: number;
}

/** The circuits of providers, by the rules of the statements in `postgres/provider-states.ts`. */
export function memoryProviderStates(state: MemoryState): ProviderStates {
  const circuits = new Map<string, CircuitEntry>();
  const of = (provider: string): CircuitEntry => {
    const known = circuits.get(provider) ?? { ...CLOSED, changedAt: state.now() };
    circuits.set(provider, known);
    return known;
  };
  const move = (provider: string, to: Partial<CircuitEntry>): void => {
    const circuit = of(provider);
    const from = circuit.state;
    Object.assign(circuit, to);
    if (circuit.state === from) return;
    circuit.changedAt = state.now();
    const { reason, failures } = circuit;
    const data = { provider, from, state: circuit.state, reason, failures };
    state.tell({ caseId: null, runId: null }, { type: 'provider.circuit', data });
  };
  const shown = (provider: string): ProviderState => stateOf(provider, of(provider), state);
  return {
    providerStates: async () => [...circuits.keys()].sort().map(shown),
    providerFailed: async (failure) => {
      move(failure.provider, afterFailure(of(failure.provider), failure, state.now()));
      return shown(failure.provider);
    },
    providerSucceeded: async (provider) => {
      move(provider, CLOSED);
      return shown(provider);
    },
    tryProvider: async (provider) => {
      const circuit = circuits.get(provider);
      if (circuit === undefined) return null;
      const data = { provider, state: circuit.state };
      state.tell({ caseId: null, runId: null }, { type: 'operator.tried-provider', data });
      if (circuit.state === 'closed') return shown(provider);
      Object.assign(circuit, { openedUntil: state.now(), probeUntil: 0 });
      for (const unit of state.units.values()) {
        const waits = unit.status === 'due' && unit.held;
        if (waits && state.runs.get(unit.runId)?.settings.provider === provider) unit.resumeAt = state.now();
      }
      return shown(provider);
    },
    claimProbe: async (provider, leaseMs) => {
      const circuit = of(provider);
      const now = state.now();
      if (circuit.state === 'closed' || circuit.openedUntil > now || circuit.probeUntil > now) return false;
      move(provider, { state: 'half-open', probeUntil: now + leaseMs });
      return true;
    },
  };
}

const CLOSED = {
  state: 'closed' as const,
  openedUntil: 0,
  probeUntil: 0,
  reason: null,
  failures: 0,
  openings: 0,
};

function afterFailure(circuit: CircuitEntry, failure: ProviderFailure, now: number): Partial<CircuitEntry> {
  const failures = circuit.failures + 1;
  const counted = { failures, reason: failure.reasonCode };
  const opens = circuit.state === 'half-open' || failures >= failure.openAfter;
  // A call that was under way when the circuit opened adds to its count, not to its time.
  if (!opens || (circuit.state === 'open' && failure.openAfter > 1)) return counted;
  const openings = circuit.state === 'open' ? circuit.openings : circuit.openings + 1;
  const openMs = Math.min(failure.openMs * 2 ** (openings - 1), Math.max(failure.openMs, failure.maxOpenMs));
  const openedUntil = Math.max(circuit.openedUntil, now + openMs);
  return { ...counted, state: 'open', openings, openedUntil, probeUntil: 0 };
}

function stateOf(provider: string, circuit: CircuitEntry, state: MemoryState): ProviderState {
  const { openedUntil, probeUntil, reason, failures, changedAt } = circuit;
  const until = Math.max(openedUntil, probeUntil) - state.now();
  const probeInMs = circuit.state === 'closed' ? 0 : Math.max(0, until);
  return { provider, state: circuit.state, probeInMs, reason, failures, changedAt: state.iso(changedAt) };
}
