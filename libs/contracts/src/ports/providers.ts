export const CIRCUIT_STATES = ['closed', 'open', 'half-open'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

/** Shared state of a provider, the same for all workers. */
export interface ProviderState {
  provider: string;
  state: CircuitState;
  /**
   * Milliseconds until one call may probe the provider. 0: the circuit is closed, or a probe may start now.
   */
  probeInMs: number;
  /**
   * Reason code of the failure that opened the circuit, or of the last failure. null: none since the circuit
   * closed.
   */
  reason: string | null;
  /** Consecutive failures. */
  failures: number;
  changedAt: string;
}

/** A failed call that counts as a failure of its provider. */
export interface ProviderFailure {
  provider: string;
  reasonCode: string;
  /** Consecutive failures that open the circuit. 1: this failure opens it. */
  openAfter: number;
  /**
   * Time that the circuit stays open, in milliseconds. It doubles with each failed probe, up to `maxOpenMs`.
   */
  openMs: number;
  maxOpenMs: number;
}

/** Limits of a provider, shared by all workers. null: no limit. */
export interface ProviderLimits {
  /** Maximum number of concurrent calls. */
  concurrency: number | null;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** Request of one process for calls to a provider, or its report of running calls. */
export interface CallShareRequest {
  provider: string;
  limits: ProviderLimits;
  /** Id of the process. Its share is released if it does not report for `leaseMs`. */
  holder: string;
  leaseMs: number;
  /** Running calls of the process, without the calls requested here. */
  inUse: number;
  /** Maximum tokens of each requested call, oldest first. Empty: the process only reports `inUse`. */
  wants: number[];
}

export interface CallShare {
  /** Number of calls, from the start of `wants`, that may start now. */
  granted: number;
  /**
   * Milliseconds until the next call might start. null: it must wait for other calls to end, or no call
   * waits.
   */
  waitMs: number | null;
}

/**
 * State of the model providers that all processes share: rate limits, and a circuit per provider. Every
 * change of a circuit emits the event `provider.circuit`.
 */
export interface Providers {
  /** Returns the recorded states. A provider that never failed is not listed; its circuit is closed. */
  states(): Promise<ProviderState[]>;
  /**
   * Counts a failure. Opens the circuit when the limit is reached, and always when the failed call was a
   * probe.
   */
  failed(failure: ProviderFailure): Promise<ProviderState>;
  /** Closes the circuit and resets the count of failures. */
  succeeded(provider: string): Promise<ProviderState>;
  /**
   * Claims the single probe of an open circuit whose waiting time is over. Returns true if the caller may
   * probe. After `leaseMs` another caller may claim it.
   */
  claimProbe(provider: string, leaseMs: number): Promise<boolean>;
  /**
   * Ends the waiting time of a circuit that is not closed, on an operator's request. The next call may probe
   * the provider immediately, and some runs that wait for this provider are woken to do so. Event in the same
   * transaction: `operator.tried-provider`.
   * @returns null if the provider is unknown; nothing was done then.
   */
  tryNow(provider: string): Promise<ProviderState | null>;
  /**
   * Takes calls from the limits that all workers share. Requests and tokens are refilled continuously; up to
   * 10 seconds' worth can accumulate. A call that needs more tokens than can accumulate starts when the
   * maximum is available, and the rest is owed.
   */
  takeShare(request: CallShareRequest): Promise<CallShare>;
}
