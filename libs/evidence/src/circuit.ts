import { CasefileError, reasonOf, type Standstill } from '@casefile/contracts';
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';

export type CircuitName = 'closed' | 'half_open' | 'open';

export interface CircuitOptions {
  /** Consecutive failures that open the circuit. */
  failures: number;
  /** Time in milliseconds that the circuit stays open before one trial call is allowed. */
  openMs: number;
}

/** Stops calls to a repeatedly failing tool for a while. */
export interface Circuit {
  readonly state: CircuitName;
  /** @throws CasefileError `circuit_open` without running `work`; otherwise errors of `work`. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** @param standstill A failure while this process stood still is not held against the tool. */
export function createCircuit(tool: string, options: CircuitOptions, standstill: Standstill): Circuit {
  const own = new WeakSet<object>();
  const counts = handleWhen(
    (error) =>
      !own.has(error) &&
      (!(error instanceof CasefileError) || reasonOf(error.reasonCode).outage?.includes('tool') === true),
  );
  const noted = async <T>(work: () => Promise<T>): Promise<T> => {
    const mark = standstill.mark();
    try {
      return await work();
    } catch (error) {
      if (standstill.since(mark) > 0 && error instanceof Error) own.add(error);
      throw error;
    }
  };
  const breaker = new ConsecutiveBreaker(options.failures);
  const policy = circuitBreaker(counts, { halfOpenAfter: options.openMs, breaker });
  return {
    get state() {
      if (policy.state === CircuitState.Closed) return 'closed';
      return policy.state === CircuitState.HalfOpen ? 'half_open' : 'open';
    },
    run: (work) =>
      policy
        .execute(() => noted(work))
        .catch((error: unknown) => {
          if (!(error instanceof BrokenCircuitError)) throw error;
          throw new CasefileError(
            'circuit_open',
            `${tool} failed ${options.failures} times in a row and is not called for now`,
          );
        }),
  };
}
