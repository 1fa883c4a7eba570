export const CIRCUIT_STATES = ['closed', 'open', 'half-open'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

/** How a provider does, as all workers know it. */
export interface ProviderState {
  provider: string;
  state: CircuitState;
  /** Milliseconds from now until one call may probe it; 0 when closed, or when a probe may go now. */
  probeInMs: number;
  /** The reason code of the failure that opened it, or of the last one; null: none since it closed. */
  reason: string | null;
  /** Failures in a row. */
  failures: number;
  changedAt: string;
}

/** A call that failed for the provider's sake. */
export interface ProviderFailure {
  provider: string;
  reasonCode: string;
  /** Failures in a row that open the circuit; 1: this one does. */
  openAfter: number;
  /** For how long, in milliseconds; doubled with each probe that fails, up to `maxOpenMs`. */
  openMs: number;
  maxOpenMs: number;
}

/** One circuit a provider over all processes. Every change of state is an event `provider.circuit`. */
export interface ProviderStates {
  /** Those that are known: one that never failed is not listed and closed. */
  providerStates(): Promise<ProviderState[]>;
  /** Counts a failure; opens the circuit at the bound, and always when it was being probed. */
  providerFailed(failure: ProviderFailure): Promise<ProviderState>;
  /** Closes the circuit and forgets the failures. */
  providerSucceeded(provider: string): Promise<ProviderState>;
  /**
   * Asks for the one probe of an open circuit whose time is over. true: it is the caller's for `leaseMs`, after
   * which another may have it.
   */
  claimProbe(provider: string, leaseMs: number): Promise<boolean>;
  /**
   * Ends the time of a circuit that is not closed, for a person: the next call may probe it at once, and some of the runs that wait for
   * this provider are woken to make it. Told as `operator.tried-provider` in the same transaction.
   * @returns null: nothing is known of such a provider, and nothing was done.
   */
  tryProvider(provider: string): Promise<ProviderState | null>;
}
