import { done } from '@casefile/contracts';
import {
  byRules,
  confidenceScale,
  definePlaybook,
  fromPayload,
  lookUps,
  singleShot,
  wordOf,
} from '@casefile/pipeline';
import { bySize, courierEffects, options } from './decide.js';
import { parcelProblems, preparedParcel } from './parcel.js';
import { withPlausibleSides } from './plausible-sides.js';
import { sizeQuestion } from './question.js';
import { largestSide } from './rules.js';
import { writeReport } from './write.js';

/** How a parcel is judged without a model. */
export const rules = { answer: largestSide };

/** Does a parcel go by post, by courier, or as freight? A whole kind of case, as an example and for the specs beside it. */
export const parcelSize = definePlaybook({
  name: 'parcel-size',
  version: '1',
  matches: ({ payload }) => payload?.['parcel'] !== undefined,
  validate: parcelProblems,
  joinsRepeats: false,
  holdOffMs: 0,
  triage: fromPayload(preparedParcel),
  tools: [],
  collect: lookUps({ plan: () => [], waitMs: () => 1_000 }),
  strategies: { 'single-shot': singleShot(sizeQuestion, rules, options), rules: byRules('rules', rules) },
  strategy: 'single-shot',
  critique: withPlausibleSides(async () => done({ ruling: 'PASS', findings: [], reviewer: 'sides' })),
  write: ([unit]) => writeReport(unit),
  decision: bySize,
  effects: courierEffects,
  presenting: {
    word: ({ outcome }) => wordOf(outcome['way']),
    answer: ({ size }) => wordOf(size),
    rule: 'A small parcel goes by post, a large one by courier; one that no courier takes is freight.',
    labels: { longestCm: 'longest side, cm' },
    scales: (verdict) => [confidenceScale(verdict)],
  },
  maxRounds: 1,
  onOutage: 'fallback',
  options,
});
