import { CasefileError } from '@casefile/contracts';

/**
 * Makes the look-up of a registration list.
 * @returns a function that throws CasefileError `unknown_<what>`, with the known names, for any other name.
 */
export function named<T extends { name: string }>(what: 'playbook', list: readonly T[]): (name: string) => T {
  return (name) => {
    const found = list.find((entry) => entry.name === name);
    if (found !== undefined) return found;
    const known = list.map((entry) => entry.name).join(', ');
    throw new CasefileError(`unknown_${what}`, `There is no ${what} "${name}". Known: ${known}.`);
  };
}
