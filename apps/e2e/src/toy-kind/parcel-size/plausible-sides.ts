import { done, parseInput, type Finding } from '@casefile/contracts';
import type { Critique } from '@casefile/pipeline';
import { parcelSchema } from './parcel.js';

/** A side that is this many times as long as another one is probably a typing error. */
const IMPLAUSIBLE = 50;

const FINDING: Finding = {
  id: 'implausible_sides',
  code: 'implausible_sides',
  message: 'One side of the parcel is many times as long as another one. Were the sides mistyped?',
};

/** Returns a critique that also warns of implausible sides. Only this kind needs the wrapper. */
export function withPlausibleSides(critique: Critique): Critique {
  return async (input, ports) => {
    const outcome = await critique(input, ports);
    const { sidesCm } = parseInput(parcelSchema, input.brief.input, 'parcel');
    if (outcome.kind !== 'done' || Math.max(...sidesCm) < IMPLAUSIBLE * Math.min(...sidesCm)) return outcome;
    return done({ ...outcome.artifact, ruling: 'WARN', findings: [...outcome.artifact.findings, FINDING] });
  };
}
