import { seededRandom } from '@casefile/contracts';
import { applyPromotionRule, LEAST, type LabelledCounts } from '@casefile/pipeline';

// Seeded experiments with known rates. They measure how often the promotion rule recommends a worse arm, and how
// soon it recommends an equal one.

/** Rates of an experiment over the same cases. */
export interface PairedRates {
  mode: 'shadow';
  /** Share of cases that the new arm alone decides correctly. */
  onlyNew: number;
  onlyOld: number;
}
/** Rates of an experiment over separate cases. */
export interface UnpairedRates {
  mode: 'ab';
  fresh: number;
  old: number;
  /** Share of cases that the new arm gets. */
  share: number;
}

/** One kind of seeded experiment. */
export interface Trial {
  rates: PairedRates | UnpairedRates;
  margin: number;
  expectedCases: number;
  /** Cases of each experiment. The rule is applied after every case. */
  cases: number;
}

/**
 * Runs seeded experiments.
 * @returns the count of cases at which the rule first recommended the new arm, per experiment. null: it did not.
 */
export function recommendedAfter(trial: Trial, experiments: number, seed = 1): (number | null)[] {
  return Array.from({ length: experiments }, (_, i) => runOne(trial, seededRandom(seed * 1_000_003 + i)));
}

function runOne({ rates, margin, expectedCases, cases }: Trial, random: () => number): number | null {
  const tally = rates.mode === 'shadow' ? pairs(rates, random) : groups(rates, random);
  for (let count = 1; count <= cases; count += 1) {
    const counts = tally();
    if (isTooFew(counts)) continue;
    if (applyPromotionRule(counts, { margin, expectedCases }).finding === 'at_least_as_good') return count;
  }
  return null;
}

// Skips a rule that would give the same result, but slower.
function isTooFew(counts: LabelledCounts): boolean {
  if (counts.mode === 'shadow') return counts.discordant < LEAST.discordant;
  return Math.min(counts.fresh.n, counts.old.n) < LEAST.smallerArm;
}

// Cases in which both arms are right, or both are wrong, do not affect the difference.
function pairs({ onlyNew, onlyOld }: PairedRates, random: () => number): () => LabelledCounts {
  const tally = { both: 0, onlyA: 0, onlyB: 0, neither: 0 };
  return () => {
    const drawn = random();
    if (drawn < onlyNew) tally.onlyA += 1;
    else if (drawn < onlyNew + onlyOld) tally.onlyB += 1;
    else tally.both += 1;
    return { mode: 'shadow', pairs: tally, discordant: tally.onlyA + tally.onlyB };
  };
}

function groups({ fresh, old, share }: UnpairedRates, random: () => number): () => LabelledCounts {
  const tally = { fresh: { x: 0, n: 0 }, old: { x: 0, n: 0 } };
  return () => {
    const isFresh = random() < share;
    const arm = isFresh ? tally.fresh : tally.old;
    arm.n += 1;
    if (random() < (isFresh ? fresh : old)) arm.x += 1;
    return { mode: 'ab', ...tally };
  };
}

const equal = (onlyNew: number, loss: number): PairedRates => ({
  mode: 'shadow',
  onlyNew,
  onlyOld: onlyNew + loss,
});
const groupsOf = (old: number, loss: number, share: number): UnpairedRates => ({
  mode: 'ab',
  fresh: old - loss,
  old,
  share,
});
const PAIRED = { expectedCases: 1_000, cases: 3_000 };
const UNPAIRED = { expectedCases: 2_000, cases: 10_000 };

/** Experiments whose new arm loses exactly the margin. The rule must recommend at most 5 % of them. */
export const LOSING: Readonly<Record<string, Trial>> = {
  'paired, 3 points': { rates: equal(0.03, 0.03), margin: 0.03, ...PAIRED },
  'paired, 5 points': { rates: equal(0.05, 0.05), margin: 0.05, ...PAIRED },
  'A/B 50 %, 3 points': { rates: groupsOf(0.95, 0.03, 0.5), margin: 0.03, ...UNPAIRED },
  'A/B 50 %, 5 points': { rates: groupsOf(0.9, 0.05, 0.5), margin: 0.05, ...UNPAIRED },
  'A/B 10 %, 3 points': { rates: groupsOf(0.95, 0.03, 0.1), margin: 0.03, ...UNPAIRED },
  'A/B 10 %, 5 points': { rates: groupsOf(0.9, 0.05, 0.1), margin: 0.05, ...UNPAIRED },
};

/** Equal arms, 5 % of the cases better and 5 % worse. The rule must recommend 90 % within 750 cases. */
export const EQUAL: Trial = { rates: equal(0.05, 0), margin: 0.05, expectedCases: 1_000, cases: 750 };
