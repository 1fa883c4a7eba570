import { createHash } from 'node:crypto';
import { FAULT_NAMES, FAULTS } from './script.js';
import type { Behaviour, Script } from './script.js';

/**
 * What the next call gets. A fault is drawn from the seed, the call and how often that call came before, so that
 * the mix is the same whatever order calls arrive in.
 */
export function chooseBehaviour(script: Script, call: string, before: number): Behaviour {
  return script.replies.shift() ?? faultOf(script, `${call}#${before}`) ?? script.then;
}

/** The same for embeddings, which have replies of their own. */
export function chooseForEmbeddings(script: Script, call: string, before: number): Behaviour {
  const { replies } = script.embeddings;
  return replies.shift() ?? faultOf(script, `${call}#${before}`) ?? { kind: 'rules', delayMs: 0 };
}

/** What a behaviour counts as: the fault's name where it is one. */
export function nameOf(behaviour: Behaviour): string {
  if (behaviour === FAULTS.slow) return 'slow';
  if (behaviour.kind === 'rules') return behaviour.manner ?? behaviour.kind;
  if (behaviour.kind !== 'status') return behaviour.kind;
  const { status, code } = behaviour;
  if (status === 402 || code === 'insufficient_quota') return 'quota';
  if (status === 429) return 'rateLimited';
  if (status === 529 || status === 503) return 'overloaded';
  return status >= 500 ? 'serverError' : `status${status}`;
}

function faultOf({ faults }: Script, draw: string): Behaviour | undefined {
  if (faults === undefined) return undefined;
  const digest = createHash('sha256').update(`${faults.seed}/${draw}`).digest();
  let place = (digest.readUInt32BE(0) / 2 ** 32) * 100;
  for (const name of FAULT_NAMES) {
    place -= faults.percent[name] ?? 0;
    if (place >= 0) continue;
    const fault = FAULTS[name];
    return 'retryAfterS' in fault ? { ...fault, retryAfterS: faults.retryAfterS } : fault;
  }
  return undefined;
}
