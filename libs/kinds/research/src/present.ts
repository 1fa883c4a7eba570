import { CONFIDENCE_LEVELS, isObject, researchOutcomeSchema, SOURCE_MODES } from '@casefile/contracts';
import { CLAIMS_SECTION } from '@casefile/pipeline/claims/show-claims';
import { byField, confidenceScale, wordOf, type Presenting } from '@casefile/pipeline/present';
import { HARMS } from './harms.js';
import { submittedSchema } from './submitted.js';

/** Presentation of the verdict of a research. */
export const presenting: Presenting = {
  harms: HARMS,
  word: ({ outcome, disposition }) => {
    if (outcome['error'] !== null && outcome['error'] !== undefined) return 'no basis';
    return disposition === 'act' ? 'report' : 'to check';
  },
  answer: ({ confidenceLevel }) => wordOf(confidenceLevel),
  rule: 'A report needs no review if the critic let it pass and a source supports every sentence that needs one; any other report needs review.',
  // A reviewer corrects the ruling on the draft.
  judged: researchOutcomeSchema.pick({ ruling: true }),
  codes: [...SOURCE_MODES, ...CONFIDENCE_LEVELS],
  impliedDisposition: byField('ruling', { PASS: 'act', WARN: 'act', REJECT: 'dismiss' }),
  contradiction: ({ items, error }, { ruling }) => {
    const isEmpty = !Array.isArray(items) || items.length === 0 || (error ?? null) !== null;
    return isEmpty && (ruling === 'PASS' || ruling === 'WARN')
      ? 'The report has no sentence with a source, so it cannot pass.'
      : null;
  },
  // The report itself is the result.
  actedOn: ({ items }) =>
    Array.isArray(items)
      ? items.filter(isObject).map(({ url = null, description = null }) => ({ url, description }))
      : null,
  labels: {
    mode: 'mode',
    rounds: 'rounds',
    ruling: 'ruling',
    confidenceLevel: 'confidence',
    sources: 'sources',
    partial: 'partial',
  },
  scales: (verdict) => [confidenceScale(verdict)],
  payload: submittedSchema,
  display: {
    title: ['payload.query', 'text'],
    text: false,
    sections: [CLAIMS_SECTION],
    judging: ['report', 'view', 'sections', 'claims'],
  },
  view: 'research',
  agents: { triage: 'clarification', reason: 'analyst', critique: 'critic', write: 'writer' },
  clarifies: true,
};
