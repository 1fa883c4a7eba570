import type { EvidenceItem } from '@casefile/contracts';
import { firstCodePoints, inLine } from '../plain-text.js';
import type { ConfirmedCase, CaseLesson } from '../lesson.js';

/** Types of values that the scam database keeps. */
const REPORTED = ['phone', 'email', 'url', 'domain', 'crypto', 'payment'] as const;

const MOST_TEXT = 3_900;
const MOST_TITLE = 80;

/**
 * Returns the lesson of a message that was confirmed as a scam: its values as scam reports, and its text as a
 * proposed pattern. A domain that the evidence rates as low risk is left out, because scams name real companies.
 */
export function scamLesson(
  { caseId, by, outcome, brief, evidence }: ConfirmedCase,
  { category, redFlags = [] }: { category?: string; redFlags?: readonly string[] },
): CaseLesson {
  const harmless = new Set(evidence.filter(isLowRiskDomain).map(({ entityValue }) => entityValue));
  const reports = REPORTED.flatMap((entityType) =>
    (brief.entities[entityType] ?? [])
      .filter((value) => entityType !== 'domain' || !harmless.has(value))
      .map((entityValue) => ({ entityType, entityValue })),
  );
  const text = firstCodePoints(brief.text.trim(), MOST_TEXT);
  if (text === '') return { reports, pattern: null };
  const scamType = outcome['scamType'];
  return {
    reports,
    pattern: {
      id: `case-${caseId}`,
      title: inLine(text, MOST_TITLE),
      texts: { [brief.language?.code ?? 'und']: text },
      category: nameOr(category, 'confirmed'),
      scamType: nameOr(scamType, 'confirmed'),
      redFlags: redFlags.slice(0, 50).map((flag) => inLine(flag, 300)),
      source: inLine(`case ${caseId}, confirmed by ${by}`, 300),
      version: 1,
    },
  };
}

function isLowRiskDomain({ toolName, success, result }: EvidenceItem): boolean {
  return (
    toolName === 'domain_reputation' &&
    success &&
    (result as { riskLevel?: unknown } | null)?.riskLevel === 'low'
  );
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,99}$/u;

function nameOr(name: unknown, other: string): string {
  return typeof name === 'string' && NAME.test(name) ? name : other;
}
