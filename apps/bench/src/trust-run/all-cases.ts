import { incidentCases } from './incident-cases.js';
import { messageCases } from './message-cases.js';
import { policyCases } from './policy-cases.js';
import type { readSets } from './read-set.js';
import { researchCases } from './research-cases.js';
import type { TrustCase } from './trust-case.js';

/** Returns every answer of the sets as a case. */
export function allCases({
  messages,
  policies,
  incidents,
  research,
}: ReturnType<typeof readSets>): TrustCase[] {
  return [
    ...messageCases(messages),
    ...policyCases(policies),
    ...incidentCases(incidents),
    ...researchCases(research),
  ];
}
