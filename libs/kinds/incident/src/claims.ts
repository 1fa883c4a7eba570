import {
  causeClaimId,
  FALSE_ALARM_CLAIM,
  type CheckedClaim,
  type Hypothesis,
  type ReadCitation,
} from '@casefile/contracts';
import { checkClaim, type CitedSpan, type ClaimCheck } from '@casefile/pipeline/claims/index';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import type { Incident } from './alert.js';
import { namesInArgs, showsStateNow, type Read } from './look-ups.js';
import { readsOf, resultIn } from './read-result.js';
import { incidentIn } from './runbook.js';

/** Dimensions that the conclusions of an incident contain. */
const OF_CAUSES = [
  'subject',
  'quantity',
  'time',
  'state',
  'scope',
  'modality',
  'order',
  'comparison',
] as const;
const OF_FALSE_ALARM = ['subject', 'quantity', 'time', 'state', 'scope', 'modality'] as const;
/** Labels whose values name no system. */
const NO_NAME =
  /^(?:alertname|severity|priority|level|urgency|team|env|environment|region|prometheus|monitor|receiver)$/i;

/** Returns each cause and the false alarm of a draft, compared with the lines that they cite. */
export function claimsOf({
  draft,
  brief,
  evidence,
}: Pick<ReviewInput, 'draft' | 'brief' | 'evidence'>): CheckedClaim[] {
  if (draft.method === 'heuristic') return [];
  const { hypotheses, falseAlarm, summary } = resultIn(draft);
  const reads = readsOf(evidence, draft).filter((read) => read.gap === null);
  const incident = incidentIn(brief);
  const causes = hypotheses.map(({ cause, citations }, place): CheckedClaim => ({
    id: causeClaimId(place),
    text: cause,
    ...checkCause({ cause, citations }, reads, incident),
  }));
  if (falseAlarm === null) return causes;
  const checked = checkClaim(summary, spansOf(falseAlarm, reads), {
    dimensions: OF_FALSE_ALARM,
    aliases: aliasesOf(incident),
    startsAt: incident.startsAt,
    about: 'now',
    isOfWholeCase: true,
    denies: brief.text,
    others: othersThan(falseAlarm, reads),
  });
  return [...causes, { id: FALSE_ALARM_CLAIM, text: 'It is a false alarm: nothing is wrong.', ...checked }];
}

/** Compares a cause with the lines that it cites. @param reads Look-ups that were answered. */
export function checkCause(
  { cause, citations }: Pick<Hypothesis, 'cause' | 'citations'>,
  reads: readonly Read[],
  incident: Pick<Incident, 'labels' | 'startsAt'>,
): ClaimCheck {
  return checkClaim(cause, spansOf(citations, reads), {
    dimensions: OF_CAUSES,
    aliases: aliasesOf(incident),
    startsAt: incident.startsAt,
    about: 'cause',
    others: othersThan(citations, reads),
  });
}

const othersThan = (citations: readonly ReadCitation[], reads: readonly Read[]) =>
  reads
    .filter((read) => showsStateNow(read) && !citations.some(({ id }) => id === read.id))
    .map(({ id, text, at }) => ({ id, text, at, sort: 'lines' as const }));

function spansOf(citations: readonly ReadCitation[], reads: readonly Read[]): CitedSpan[] {
  return citations.flatMap(({ id, quote }) => {
    const read = reads.find((one) => one.id === id);
    return read === undefined
      ? []
      : [{ id, quote, text: read.text, sort: 'lines' as const, at: read.at, about: namesInArgs(read) }];
  });
}

/** Returns the names by which the alert calls the affected system: values of its labels. */
export function aliasesOf({ labels }: Pick<Incident, 'labels'>): string[] {
  const values = Object.entries(labels).filter(([label]) => !NO_NAME.test(label));
  return [...new Set(values.map(([, value]) => value.trim()).filter((value) => value.length > 2))];
}
