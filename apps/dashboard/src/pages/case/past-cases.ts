import type { EvidenceItem, ShownPastCase } from '@casefile/contracts';

const OWN_ADDRESS = /^\/cases\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns whether an untrusted URL points to a case of this console and nowhere else. */
export function isCaseAddress(address: string): boolean {
  return OWN_ADDRESS.test(address);
}

/** Returns the past cases in the result of their tool, which validated them; none for other tools and for evidence of senders. */
export function pastCasesIn({
  toolName,
  success,
  given,
  result,
}: Pick<EvidenceItem, 'toolName' | 'success' | 'given' | 'result'>): ShownPastCase[] {
  if (
    toolName !== 'past_cases' ||
    !success ||
    given === true ||
    typeof result !== 'object' ||
    result === null
  )
    return [];
  const { cases } = result as { cases?: unknown };
  const listed = Array.isArray(cases) ? (cases as ShownPastCase[]) : [];
  return listed.filter((one) => isCaseAddress(`/cases/${one.caseId}`));
}
