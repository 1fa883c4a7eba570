import { messageWithoutValues, stackWithoutValues } from '@casefile/contracts';

/** Causes and containers of facts are followed to this depth. */
const DEEPEST = 5;
/** Codes of systems, drivers and this program. A longer or other text may be content. */
const CODE = /^[\w.-]{1,60}$/;

/**
 * Returns the facts of an error that a log may hold: its class, its codes, its message without quoted values,
 * the places of its stack, and those of its causes. No other property is read: errors of drivers carry
 * commands with passwords and jobs, rows, parameters and answers of servers.
 */
export function loggedError(error: Error, depth = 1): object {
  const { reasonCode, code, retryable } = error as {
    reasonCode?: unknown;
    code?: unknown;
    retryable?: unknown;
  };
  return {
    type: error.constructor.name || error.name,
    ...(isCode(reasonCode) && { reasonCode }),
    ...(isCode(code) && { code }),
    message: messageWithoutValues(error),
    ...(typeof retryable === 'boolean' && { retryable }),
    stack: stackWithoutValues(error),
    ...(error.cause instanceof Error && depth < DEEPEST && { cause: loggedError(error.cause, depth + 1) }),
  };
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** Returns facts of a log line in which every error is replaced by its loggable facts. */
export function loggedFacts(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, loggedValue(value, 1)]));
}

function loggedValue(value: unknown, depth: number): unknown {
  if (value instanceof Error) return loggedError(value);
  if (depth >= DEEPEST || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => loggedValue(one, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, loggedValue(one, depth + 1)]));
}
