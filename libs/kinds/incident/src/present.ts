import { INCIDENT_ACTIONS, z } from '@casefile/contracts';
import type { Verdict } from '@casefile/contracts';
import {
  byField,
  confidenceScale,
  ladderOf,
  withBands,
  wordOf,
  type Presenting,
} from '@casefile/pipeline/present';
import { CLAIMS_SECTION } from '@casefile/pipeline/claims/show-claims';
import { notice } from './notice.js';
import { DISPOSITION } from './action.js';
import { options } from './options.js';
import { HARMS } from './harms.js';
import { submittedSchema } from './submitted.js';

const STEPS = [
  ['no-action', 'nobody is notified'],
  ['ticket', 'for working hours'],
  ['page', 'the person on call'],
] as const;
const WORDS = { act: 'page', review: 'ticket', dismiss: 'no action' } as const;

/** Presentation of the verdict on an incident. */
export const presenting: Presenting = {
  harms: HARMS,
  word: ({ outcome: { action }, disposition }) =>
    typeof action === 'string' ? wordOf(action) : WORDS[disposition],
  answer: ({ hypotheses }) => {
    const [first] = Array.isArray(hypotheses) ? hypotheses : [];
    return first === undefined ? 'cause unknown' : 'cause found';
  },
  rule: 'A needed look-up that failed is never read as good news; a critical alert, or proven harm, pages. A cause that nothing confirms is shown as not known.',
  judged: z.object({ action: z.enum(INCIDENT_ACTIONS) }),
  impliedDisposition: byField('action', DISPOSITION),
  labels: { name: 'alert', severity: 'severity' },
  ladder: ({ action }) => ladderOf('Action', STEPS, action),
  scales: (verdict: Verdict, settings) => {
    const { pageFrom: from } = options.shown(settings.options);
    const scale = confidenceScale(verdict);
    if (from === undefined) return [scale];
    const taken = verdict.outcome['action'] === 'page' ? 'page' : 'ticket';
    return [
      withBands(
        scale,
        [
          { from: 0, label: 'ticket' },
          { from, label: 'page' },
        ],
        taken,
      ),
    ];
  },
  notice,
  payload: submittedSchema,
  display: {
    text: { label: 'Text', help: 'The alert as it was received, in place of the fields below.' },
    title: ['text', 'payload.title', 'payload.name', 'payload.summary'],
    sections: [
      {
        show: 'timeline',
        title: 'Timeline of the incident',
        of: 'outcome.timeline',
        at: 'at',
        text: 'what',
        evidence: 'source',
      },
      CLAIMS_SECTION,
    ],
    judging: ['view', 'sections', 'claims'],
  },
  view: 'incident',
};
