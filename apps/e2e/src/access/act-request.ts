import type { PostgresStore } from '@casefile/store';
import type { World } from '../testing/world.js';

/** A request that a route accepts. */
export interface ActRequest {
  /** Values of the parameters of the path. */
  params?: Record<string, string>;
  body?: object;
  /** Sent instead of a JSON body. */
  form?: FormData;
}

/**
 * Record of a request: an act on the audit log, a reading on it, an alert that names its sender, or nothing, because
 * the answer holds no content of cases.
 */
export type LogEntryKind = 'act' | 'reading' | 'sender' | 'nothing';

export interface ActEntry {
  loggedAs?: LogEntryKind;
  /** Prepares the record, and returns the request. */
  request(facts: ActFacts): Promise<ActRequest>;
}

/** Parts of the world that requests are prepared with. */
export interface ActFacts {
  world: World;
  store: PostgresStore;
  /** Sends a request as another administrator, whose name is not that of the acts. */
  prepare(path: string, body?: object): Promise<Record<string, unknown>>;
  /** Sends a request as the administrator of the acts. */
  act(path: string, body: object): Promise<Record<string, unknown>>;
  read(path: string): Promise<Record<string, unknown>>;
}

/** Name that requests state. The name of the key replaces it. */
export const TYPED = 'typed';
/** Fields of acts with a reason. */
export const ACT = { by: TYPED, reason: 'a test' };

let numbers = 0;
/** Returns a number that no other request of the spec has. */
export const fresh = (): number => (numbers += 1);

/** Returns the ids of a case with a verdict. */
export async function judgeCase({ world }: ActFacts): Promise<{ caseId: string; runId: string }> {
  const text = `Pay the fee ${fresh()}`;
  const { caseId, runId } = await world.accept({ playbook: 'scam-verdict', text, collect: false });
  await world.ended(caseId);
  return { caseId, runId };
}
