import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '@casefile/contracts';

/** Name of the setting of a transaction that the trigger on the table `events` reads. */
const SETTING = 'casefile.caller';

/** Sets who acts in the transaction that it is sent in. The setting ends with the transaction. */
export const NAME_CALLER = `select set_config('${SETTING}', $1, true)`;

// The value is the JSON text that the trigger adds to events.
const acting = new AsyncLocalStorage<string>();

/**
 * Runs the work of a request. Each event that it writes states the name and the proof of the caller. An event
 * that states a name keeps it. A caller who proved nothing has no name: events with a typed name are marked
 * `unverified`.
 */
export function actingAs<T>({ name, proof }: Pick<Caller, 'name' | 'proof'>, work: () => T): T {
  const caller = proof === 'none' ? { proof: 'unverified' } : { by: name, proof };
  return acting.run(JSON.stringify(caller), work);
}

/** Runs work that serves several requests, and so belongs to no caller. */
export function actingAsNobody<T>(work: () => T): T {
  return acting.exit(work);
}

/** Returns the value of the setting for the current request. undefined: no request of a caller is running. */
export function callerSetting(): string | undefined {
  return acting.getStore();
}
