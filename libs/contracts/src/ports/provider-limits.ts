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
 * Rate limits over all workers. Requests and tokens are refilled all the time; a sixth of a minute's worth may be
 * saved up. A call that needs more tokens than can be saved up goes when that much is there, and is owed.
 */
export interface CallShares {
  takeCallShare(request: CallShareRequest): Promise<CallShare>;
}
