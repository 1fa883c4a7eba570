import { CRITERION_STATUSES, isObject, z, type CriterionStatus, type JsonObject } from '@casefile/contracts';
import {
  byField,
  confidenceScale,
  ladderOf,
  withBands,
  wordOf,
  type Presenting,
} from '@casefile/pipeline/present';
import { CLAIMS_SECTION } from '@casefile/pipeline/claims/show-claims';
import { combineSchema } from './case-bundle.js';
import { combinedStatus } from './citations/verify-citations.js';
import { DISPOSITION } from './decide.js';
import { HARMS } from './harms.js';
import { options } from './options.js';
import { submittedSchema } from './submitted.js';

/** Disposition of each status. */
const STEPS = [
  ['NOT_MET', 'declined'],
  ['UNCERTAIN', 'refer'],
  ['MET', 'approved'],
] as const;
const WORDS = { act: 'declined', review: 'refer', dismiss: 'approved' } as const;

const recordedSchema = z.object({
  criteria: z
    .array(
      z.looseObject({
        id: z.string(),
        status: z.enum(CRITERION_STATUSES),
        citations: z.array(z.unknown()).default([]),
      }),
    )
    .min(1),
  combine: combineSchema.default({ rule: 'all' }),
});

// Only criteria with a citation count. A criterion without one is proven neither way.
function recordedContradiction(
  { criteria, combine }: z.infer<typeof recordedSchema>,
  answer: JsonObject[string] | undefined,
): string | null {
  const cited = criteria.filter(({ citations }) => citations.length > 0);
  const statuses = criteria.map((one) => (cited.includes(one) ? one.status : 'UNCERTAIN'));
  const recorded = combinedStatus(statuses, combine);
  const ids = (status: CriterionStatus) =>
    cited.flatMap((one) => (one.status === status ? [one.id] : [])).join(', ');
  if (answer === 'NOT_MET')
    return recorded === 'MET' ? `The record has MET, with a citation of the policy: ${ids('MET')}.` : null;
  if (answer !== 'MET') return null;
  if (recorded === 'NOT_MET')
    return `The record has NOT_MET, with a citation of the policy: ${ids('NOT_MET')}.`;
  const uncited = criteria.filter((one) => !cited.includes(one)).map(({ id }) => id);
  const usable = statuses.map((status, i) =>
    status === 'UNCERTAIN' && cited.includes(criteria[i]!) ? 'MET' : status,
  );
  return combinedStatus(usable, combine) === 'MET'
    ? null
    : `The record has no citation of the policy for ${uncited.join(', ')}.`;
}

/** Presentation of the check of a case against a policy. */
export const presenting: Presenting = {
  word: ({ disposition }) => WORDS[disposition],
  answer: ({ status }) => wordOf(status),
  harms: HARMS,
  rule: 'Each criterion is settled by itself, its citations verified; the rule of the case combines them.',
  judged: z.object({ status: z.enum(CRITERION_STATUSES) }),
  impliedDisposition: byField('status', DISPOSITION),
  contradiction: ({ criteria, combine }, { status }) => {
    const read = recordedSchema.safeParse({ criteria, combine });
    return read.success ? recordedContradiction(read.data, status) : null;
  },
  // A claim may be declined for another reason than before.
  actedOn: ({ criteria }) =>
    Array.isArray(criteria)
      ? criteria.filter(isObject).map(({ id = null, status = null }) => ({ id, status }))
      : null,
  labels: {},
  ladder: ({ status }) => ladderOf('Criteria', STEPS, status),
  scales: (verdict, settings) => {
    const { abstainBelow: from } = options.shown(settings.options);
    const decided = from === undefined ? [] : [{ from, label: 'decided' }];
    const taken = verdict.outcome['status'] === 'UNCERTAIN' ? 'undecided' : 'decided';
    return [withBands(confidenceScale(verdict), [{ from: 0, label: 'undecided' }, ...decided], taken)];
  },
  payload: submittedSchema,
  display: { title: 'payload.title', sections: [CLAIMS_SECTION], judging: ['view', 'sections', 'claims'] },
  view: 'criteria',
};
