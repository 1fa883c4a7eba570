// Measures how work grows with the length of the input, as ratios of processor time within one run.

/** Lengths in characters. Each is four times the one before. */
const LENGTHS = [782, 3_125, 12_500, 50_000, 200_000];
/**
 * Minimum processor time in microseconds. Growth of shorter work is not evaluated. A match allocates nothing
 * and takes a few nanoseconds per character. A parser allocates memory, and garbage collection looks like
 * growth in short runs.
 */
export const FLOORS = { pattern: 3_000, parser: 150_000 };
const RUNS = 5;
const LONG = 200_000;
/** Maximum ratio for four times the length. Linear work has a ratio of four, quadratic work of sixteen. */
const MOST = 8;
/** Processor time in microseconds from which a step with a linear ratio is not followed by a longer one. */
const ENOUGH = 1_000_000;
/** Ratio of a single run from which both lengths are measured more precisely. */
const SUSPECT = 6;

async function onceOf(run, input) {
  const before = process.cpuUsage();
  await run(input);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Returns the processor time of one call in microseconds: the minimum of five runs, or of fewer once it is
 * `enough`.
 */
async function costOf(run, input, enough) {
  let least = Infinity;
  for (let i = 0; i < RUNS; i += 1) {
    least = Math.min(least, await onceOf(run, input));
    // The clock's noise hardly affects long runs.
    if (least <= enough || (least > LONG && i > 0)) break;
  }
  return least;
}

/**
 * Returns the place where the work grows faster than its input, as a sentence. null: nowhere. One run per
 * length finds suspicious steps. Only then are both lengths measured precisely. Stops at the first step that
 * is too steep, and after the first step that was evaluated and is longer than `ENOUGH`: linear work that takes
 * so long hides a quadratic part at every length.
 */
export async function growsTooFast(run, { name, make }, { floor, lengths = LENGTHS }) {
  let last = await onceOf(run, make(lengths[0]));
  for (let i = 1; i < lengths.length; i += 1) {
    const [less, more] = [lengths[i - 1], lengths[i]];
    const before = last;
    last = await onceOf(run, make(more));
    if (last <= MOST * floor) continue;
    if (last <= SUSPECT * before) {
      if (last > ENOUGH) return null;
      continue;
    }
    // Garbage collection in one of the two runs looks like growth, so a step is too steep only if it is so
    // twice.
    let step = await tooSteep(run, make, { less, more, floor });
    if (step !== null) step = await tooSteep(run, make, { less, more, floor });
    if (step !== null)
      return `over ${name}: ${step.before} µs for ${less} characters, ${step.after} µs for ${more}`;
  }
  return null;
}

async function tooSteep(run, make, { less, more, floor }) {
  const before = await costOf(run, make(less), floor);
  const most = MOST * Math.max(before, floor);
  const after = await costOf(run, make(more), most);
  return after > most ? { before, after } : null;
}

/**
 * Returns two of the attacks: the one that costs most, and the one whose cost grows most between two small
 * lengths.
 */
export async function worstOf(run, attacks, [less, more] = [500, 2_000]) {
  if (attacks.length === 0) return [];
  const measurements = [];
  for (const attack of attacks) {
    const [before, cost] = [await onceOf(run, attack.make(less)), await onceOf(run, attack.make(more))];
    measurements.push({ attack, cost, growth: cost / (before + NOISE) });
  }
  const most = (by) => measurements.reduce((worst, one) => (one[by] > worst[by] ? one : worst)).attack;
  return [...new Set([most('cost'), most('growth')])];
}

/** Noise of the clock, in microseconds. */
const NOISE = 100;
