import { incidentCases } from './incident-cases.js';
import { messageCases } from './message-cases.js';
import { policyCases } from './policy-cases.js';
import type { readSets } from './read-set.js';
import { researchCases, tiersOf } from './research-cases.js';
import type { readSorts } from './read-sorts.js';
import { sortCases } from './sort-cases.js';
import type { TrustCase } from './trust-case.js';

/** Returns every answer of the sets as a case. */
export function allCases(
  { messages, policies, incidents, research }: ReturnType<typeof readSets>,
  sorts: ReturnType<typeof readSorts> = [],
): TrustCase[] {
  return [
    ...sortCases(sorts),
    ...messageCases(messages),
    ...policyCases(policies),
    ...incidentCases(incidents),
    ...researchCases(research),
  ];
}

/** Returns the policies and the sites of all sets, for a world that judges their cases. */
export function worldOf(sets: ReturnType<typeof readSets>, sorts: ReturnType<typeof readSorts>) {
  const policies = sorts.flatMap((file) => (file.group === 'policy' ? file.rows : []));
  const research = sorts.flatMap((file) => (file.group === 'research' ? file.rows : []));
  return { policies: [...sets.policies, ...policies], tiers: tiersOf([...sets.research, ...research]) };
}
