import { CRITERION_STATUSES, isObject, z } from '@casefile/contracts';
import {
  byField,
  confidenceScale,
  ladderOf,
  withBands,
  wordOf,
  type Presenting,
} from '@casefile/pipeline/present';
import { DISPOSITION } from './decide.js';
import { options } from './options.js';
import { submittedSchema } from './submitted.js';

/** Disposition of each status. */
const STEPS = [
  ['NOT_MET', 'declined'],
  ['UNCERTAIN', 'refer'],
  ['MET', 'approved'],
] as const;
const WORDS = { act: 'declined', review: 'refer', dismiss: 'approved' } as const;

/** Presentation of the check of a case against a policy. */
export const presenting: Presenting = {
  word: ({ disposition }) => WORDS[disposition],
  answer: ({ status }) => wordOf(status),
  rule: 'Each criterion is settled by itself, its citations verified; the rule of the case combines them.',
  judged: z.object({ status: z.enum(CRITERION_STATUSES) }),
  impliedDisposition: byField('status', DISPOSITION),
  contradiction: ({ criteria }, { status }) => {
    if (status !== 'MET' || !Array.isArray(criteria)) return null;
    const results = criteria.filter(isObject);
    const isCited = ({ citations }: (typeof results)[number]) =>
      Array.isArray(citations) && citations.length > 0;
    const refused = results.find((one) => one['status'] === 'NOT_MET' && isCited(one));
    if (refused !== undefined)
      return `The criterion ${String(refused['id'])} is NOT_MET, with a citation of the policy.`;
    return results.some(isCited) ? null : 'No criterion has a citation of the policy.';
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
  display: { title: 'payload.title' },
  view: 'criteria',
};
