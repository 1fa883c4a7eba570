import { CasefileError } from '@casefile/contracts';
import type { Playbook } from '../playbook.js';
import { messageScreening } from './message-screening/index.js';
import { policyCheck } from './policy-check/index.js';
import { scamVerdict } from './scam-verdict/index.js';

/** Every kind of case. An alert that names none gets the first that matches it. */
export const playbooks: readonly Playbook[] = [scamVerdict, messageScreening, policyCheck];

/** @throws CasefileError `unknown_playbook` that lists the known ones. */
export const playbookNamed = named('playbook', playbooks);

/**
 * Makes the look-up of a registration list.
 * @returns a function that throws CasefileError `unknown_<what>`, with the known names, for any other name.
 */
function named<T extends { name: string }>(what: 'playbook', list: readonly T[]): (name: string) => T {
  return (name) => {
    const found = list.find((entry) => entry.name === name);
    if (found !== undefined) return found;
    const known = list.map((entry) => entry.name).join(', ');
    throw new CasefileError(`unknown_${what}`, `There is no ${what} "${name}". Known: ${known}.`);
  };
}
