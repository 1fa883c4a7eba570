import { parseInput } from '@casefile/contracts';
import type { RuleAnswer } from '@casefile/pipeline';
import { draftOf } from './answer.js';
import { parcelSchema } from './parcel.js';

/** Longest side from which a parcel is large. */
const LARGE_FROM_CM = 60;

/** Judges by the longest side alone. */
export const largestSide: RuleAnswer = ({ brief }) => {
  const { sidesCm } = parseInput(parcelSchema, brief.input, 'parcel');
  const longest = Math.max(...sidesCm);
  const size = longest >= LARGE_FROM_CM ? 'large' : 'small';
  const why = `Its longest side is ${longest} cm.`;
  return { ...draftOf({ size, confidence: 1, why }), confidenceSource: 'heuristic', method: 'heuristic' };
};
