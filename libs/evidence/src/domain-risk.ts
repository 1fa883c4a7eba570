export type RiskLevel = 'low' | 'medium' | 'high';

/** What is known of a domain; null: not known. */
export interface DomainFacts {
  malicious: number | null;
  suspicious: number | null;
  ageDays: number | null;
}

/** Of about ninety engines one or two are often wrong; three that agree hardly ever are. */
const SURE_ENGINES = 3;
/** Fraudulent domains are mostly used within weeks of their registration. */
const YOUNG_DAYS = 30;

/** The risk level of a domain that is on no list. What is not known neither raises nor lowers it. */
export function domainRisk(facts: DomainFacts): RiskLevel {
  const malicious = facts.malicious ?? 0;
  const young = facts.ageDays !== null && facts.ageDays < YOUNG_DAYS;
  if (malicious >= SURE_ENGINES || (malicious > 0 && young)) return 'high';
  if (malicious > 0 || young || (facts.suspicious ?? 0) >= SURE_ENGINES) return 'medium';
  return 'low';
}
