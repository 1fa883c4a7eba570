import { done } from '@casefile/contracts';
import {
  byRules,
  confidenceScale,
  definePlaybook,
  fromPayload,
  lookUps,
  matching,
  neverRepeated,
  singleShot,
  wordOf,
} from '@casefile/pipeline';
import { bySize, courierEffects, options } from './decide.js';
import { parcelProblems, preparedParcel } from './parcel.js';
import { withPlausibleSides } from './plausible-sides.js';
import { sizeQuestion } from './question.js';
import { largestSide } from './rules.js';
import { writeReport } from './write.js';

/** Judgement of a parcel without a model. */
export const rules = { answer: largestSide };

/**
 * Kind of case that decides whether a parcel is sent by post, by courier or as freight. It is an example, and
 * the specs next to it use it.
 */
export const parcelSize = definePlaybook({
  name: 'parcel-size',
  version: '1',
  intake: {
    claims: matching('Its payload has a parcel.', ({ payload }) => payload?.['parcel'] !== undefined),
    problems: parcelProblems,
    repeats: neverRepeated,
    entrances: [],
  },
  triage: fromPayload(preparedParcel),
  tools: [],
  collect: lookUps({ plan: () => [], waitMs: () => 1_000 }),
  strategies: { 'single-shot': singleShot(sizeQuestion, rules, options), rules: byRules('rules', rules) },
  strategy: 'single-shot',
  thinking: 'as-provider',
  maxRounds: 1,
  onOutage: 'fallback',
  critique: withPlausibleSides(async () => done({ ruling: 'PASS', findings: [], reviewer: 'sides' })),
  write: ([unit]) => writeReport(unit),
  decision: bySize,
  outward: (verdict) => ({ effects: courierEffects(verdict), verdict: () => verdict }),
  presenting: {
    word: ({ outcome }) => wordOf(outcome['way']),
    answer: ({ size }) => wordOf(size),
    rule: 'A small parcel goes by post, a large one by courier; one that no courier takes is freight.',
    labels: { longestCm: 'longest side, cm' },
    scales: (verdict) => [confidenceScale(verdict)],
  },
  options,
});
