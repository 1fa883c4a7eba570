import {
  CasefileError,
  incidentResultSchema,
  type Draft,
  type Evidence,
  type IncidentResult,
  type ReadCitation,
} from '@casefile/contracts';
import { lookUpsOf, type Read } from './look-ups.js';

/** The look-ups of a draft, with the text that it keeps of each call. */
export function readsOf(evidence: Evidence, draft: Draft): Read[] {
  const texts = new Map<string, string>([
    ...lookUpsOf(evidence, []).map(({ id, text }) => [id, text] as const),
    ...(draft.read ?? []).map(({ id, text = '' }) => [id, text] as const),
  ]);
  return resultIn(draft).lookUps.map((lookUp) => ({ ...lookUp, text: texts.get(lookUp.id) ?? '' }));
}

/** Everything that the conclusions of a result cite. */
export function citationsIn({ hypotheses, ruledOut, falseAlarm }: IncidentResult): ReadCitation[] {
  return [...[...hypotheses, ...ruledOut].flatMap(({ citations }) => citations), ...(falseAlarm ?? [])];
}

/** Returns the result in a draft. @throws CasefileError `bad_draft` if the result is unreadable. */
export function resultIn({ answer }: Pick<Draft, 'answer'>): IncidentResult {
  const read = incidentResultSchema.safeParse(answer);
  if (read.success) return read.data;
  throw new CasefileError('bad_draft', `the draft of an incident cannot be read: ${read.error.message}`);
}
