import { createHash } from 'node:crypto';
import { FAULT_NAMES, FAULTS } from './script.js';
import type { Behaviour, Script } from './script.js';

/**
 * What the next call gets. A fault is drawn from the seed, the call and how often that call came before, so that
 * the mix is the same whatever order calls arrive in.
 */
export function chooseBehaviour(script: Script, call: string, before: number): Behaviour {
  const scripted = script.replies.shift();
  if (scripted !== undefined) return scripted;
  return faultOf(script, `${call}#${before}`) ?? script.then;
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
