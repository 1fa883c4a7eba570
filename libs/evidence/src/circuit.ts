import { CasefileError, reasonOf } from '@casefile/contracts';
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';

export type CircuitName = 'closed' | 'half_open' | 'open';

export interface CircuitOptions {
  /** Failures in a row that open it. */
  failures: number;
  /** How long it stays open before one try is let through. */
  openMs: number;
}

/** Keeps a tool that fails again and again from being asked for a while. */
export interface Circuit {
  readonly state: CircuitName;
  /** @throws CasefileError `circuit_open` without running `work`; else what `work` throws. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createCircuit(tool: string, options: CircuitOptions): Circuit {
  const counts = handleWhen(
    (error) =>
      !(error instanceof CasefileError) || reasonOf(error.reasonCode).outage?.includes('tool') === true,
  );
  const breaker = new ConsecutiveBreaker(options.failures);
  const policy = circuitBreaker(counts, { halfOpenAfter: options.openMs, breaker });
  return {
    get state() {
      if (policy.state === CircuitState.Closed) return 'closed';
      return policy.state === CircuitState.HalfOpen ? 'half_open' : 'open';
    },
    run: (work) =>
      policy.execute(work).catch((error: unknown) => {
        if (!(error instanceof BrokenCircuitError)) throw error;
        throw new CasefileError(
          'circuit_open',
          `${tool} failed ${options.failures} times in a row and is left alone for now`,
        );
      }),
  };
}
