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

/** How hard a provider may be used by all workers together; null: no limit. */
export interface ProviderLimits {
  /** Calls under way at once. */
  concurrency: number | null;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** One process asks for calls at a provider, or says how many it still has under way. */
export interface CallShareRequest {
  provider: string;
  limits: ProviderLimits;
  /** The process. Its share is given back when it is not heard of for `leaseMs`. */
  holder: string;
  leaseMs: number;
  /** Calls it has under way now, those asked for here not counted. */
  inUse: number;
  /** Calls it wants to make, oldest first: the tokens each may use. Empty: it only says `inUse`. */
  wants: number[];
}

export interface CallShare {
  /** The first so many of `wants` may go now. */
  granted: number;
  /** Until the next of them might, in milliseconds; null: when others have ended their calls, or none waits. */
  waitMs: number | null;
}

/**
 * What all processes know together of the providers of models: a circuit for each, every change of which is an event
 * `provider.circuit`, and its rate limits.
 */
export interface Providers {
  /** Those that are known: one that never failed is not listed and closed. */
  states(): Promise<ProviderState[]>;
  /** Counts a failure; opens the circuit at the bound, and always when it was being probed. */
  failed(failure: ProviderFailure): Promise<ProviderState>;
  /** Closes the circuit and forgets the failures. */
  succeeded(provider: string): Promise<ProviderState>;
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
  tryNow(provider: string): Promise<ProviderState | null>;
  /**
   * Takes calls out of the limits over all workers. Requests and tokens are refilled all the time; a sixth of a minute's worth may be
   * saved up. A call that needs more tokens than can be saved up goes when that much is there, and is owed.
   */
  takeShare(request: CallShareRequest): Promise<CallShare>;
}
