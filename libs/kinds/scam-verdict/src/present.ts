import { z } from '@casefile/contracts';
import { DISPOSITION, UNCONFIRMED } from './decide.js';
import { HARMS } from './harms.js';
import { RISK_LEVELS } from './question.js';
import {
  byField,
  confidenceScale,
  ladderOf,
  withBands,
  wordOf,
  type Presenting,
} from '@casefile/pipeline/present';

/** Scores from which the heuristic calls a risk medium and high. */
const SCORE_BANDS = [
  { from: 0, label: 'low' },
  { from: 40, label: 'medium' },
  { from: 70, label: 'high' },
];
/** Disposition of each level of risk. */
const STEPS = [
  ['low', 'harmless'],
  ['medium', 'unclear'],
  ['high', 'scam'],
] as const;
const WORDS = { act: 'scam', review: 'unclear', dismiss: 'harmless' } as const;

/** Presentation of a scam verdict. */
export const presenting: Presenting = {
  word: ({ disposition }) => WORDS[disposition],
  answer: ({ riskLevel }) =>
    riskLevel === undefined || riskLevel === UNCONFIRMED ? wordOf(riskLevel) : `${wordOf(riskLevel)} risk`,
  // The level, its confidence and its step do not apply to a verdict that nobody confirmed.
  unproven: ({ outcome }) => (outcome['riskLevel'] === UNCONFIRMED ? UNCONFIRMED : null),
  harms: HARMS,
  rule: 'A high or low risk that nothing but the model states, a warning of the review, or a text that could not be read means unclear.',
  judged: z.object({ riskLevel: z.enum(RISK_LEVELS) }),
  codes: [UNCONFIRMED],
  impliedDisposition: byField('riskLevel', DISPOSITION),
  labels: {},
  display: {
    text: {
      label: 'Message',
      example:
        'SwiftPost: your parcel could not be delivered. Pay 1.99 today at https://swiftpost-redelivery.example/pay or it is sent back.',
    },
    judging: ['alert', 'report', 'claims'],
  },
  ladder: ({ riskLevel }) => ladderOf('Risk level', STEPS, riskLevel),
  scales: (verdict) => {
    const { score, riskLevel } = verdict.outcome;
    const scale = typeof score === 'number' ? [scoreScale(score)] : [];
    const sure = presenting.unproven?.(verdict) ? [] : [confidenceScale(verdict)];
    return [...scale.map((each) => withBands(each, SCORE_BANDS, riskLevel)), ...sure];
  },
};

function scoreScale(score: number) {
  return { name: 'Score', value: score, max: Math.max(100, score), bands: [], text: String(score) };
}
