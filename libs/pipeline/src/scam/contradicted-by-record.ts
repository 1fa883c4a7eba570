import type { Draft, EvidenceItem } from '@casefile/contracts';
import { inLine } from '../plain-text.js';
import type { Contradiction, FindContradictions } from '../parts/contradicting.js';
import { asksInOtherLanguages } from '../text-signals/asks-in-other-languages.js';
import { contradictionOf, signalsFound } from '../text-signals/signals-found.js';
import { enginesText, hasReports, evidenceItemReading } from './tool-readings.js';

/**
 * Finds contradictions of a model that calls a text harmless, in addition to signs in the languages of the
 * lexicons: scam reports on its entities, a high-risk domain, and requests in another language.
 */
export function contradictedByRecord(saysHarmless: (draft: Draft) => boolean): FindContradictions {
  return ({ brief, draft, evidence }) => {
    if (draft.method !== 'llm' || !saysHarmless(draft)) return [];
    // Evidence supplied by the sender is not a result of Casefile's tools, so it is ignored.
    const own = evidence.items.filter(({ given, success }) => given !== true && success);
    const isUnread = own.some((item) => signalsFound(item)?.isRead === false);
    const contradictions = [
      { by: 'scam_reports', against: own.filter(hasReports).map(reportsIn) },
      { by: 'domain_reputation', against: own.flatMap(riskIn) },
      { by: 'asks', against: isUnread ? asksInOtherLanguages(brief.text) : [] },
    ];
    return contradictions
      .filter(({ against }) => against.length > 0)
      .map(({ by, against }): Contradiction => ({
        by,
        message: contradictionOf(draft.explanation, against),
      }));
  };
}

const reportsIn = ({ id, entityValue }: EvidenceItem): string =>
  `scam reports on ${inLine(entityValue, 80)} [${id}]`;

function riskIn(item: EvidenceItem): string[] {
  const reading = evidenceItemReading(item);
  if (reading.kind !== 'domain' || reading.riskLevel !== 'high') return [];
  const why = enginesText(reading.malicious);
  return [`the domain ${inLine(item.entityValue, 80)} has a high risk: ${why} [${item.id}]`];
}
