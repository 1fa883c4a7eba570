// How the work of something grows with the length of its input: ratios of processor time within one run.

/** Lengths in characters; each is four times the one before. */
const LENGTHS = [3_125, 12_500, 50_000, 200_000];
/** What takes less processor time than this, in microseconds, blocks nobody: garbage collection alone looks like growth below it. */
const NOTHING = 300_000;
const RUNS = 5;
const LONG = 200_000;
/** Four times the length is four times the work where it is linear, sixteen where it is quadratic. */
const MOST = 8;

async function onceOf(run, input) {
  const before = process.cpuUsage();
  await run(input);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Processor time of one call in microseconds: the least of five, or of fewer once it is `enough`. */
async function costOf(run, input, enough) {
  let least = Infinity;
  for (let i = 0; i < RUNS; i += 1) {
    least = Math.min(least, await onceOf(run, input));
    // What takes long is hardly touched by the clock's noise.
    if (least <= enough || (least > LONG && i > 0)) break;
  }
  return least;
}

/** Where the work grows faster than its input, as a sentence; null: nowhere. Ends at the first step that is too steep. */
export async function growsTooFast(run, { name, make }, lengths = LENGTHS) {
  for (let i = 1; i < lengths.length; i += 1) {
    const [less, more] = [lengths[i - 1], lengths[i]];
    // Garbage that is collected in one of the two looks like growth: a step is too steep when it is so each time.
    let step = await tooSteep(run, make, less, more);
    for (let again = 0; again < 2 && step !== null; again += 1) step = await tooSteep(run, make, less, more);
    if (step !== null)
      return `over ${name}: ${step.before} µs for ${less} characters, ${step.after} µs for ${more}`;
  }
  return null;
}

async function tooSteep(run, make, less, more) {
  const before = await costOf(run, make(less), NOTHING);
  const most = MOST * Math.max(before, NOTHING);
  const after = await costOf(run, make(more), most);
  return after > most ? { before, after } : null;
}

/** Of many attacks the one that costs most, and the one whose cost grows most from one small length to another. */
export async function worstOf(run, attacks) {
  if (attacks.length === 0) return [];
  const tried = [];
  for (const attack of attacks) {
    const [less, more] = [await onceOf(run, attack.make(1_000)), await onceOf(run, attack.make(4_000))];
    tried.push({ attack, cost: more, growth: more / (less + NOISE) });
  }
  const most = (by) => tried.reduce((worst, one) => (one[by] > worst[by] ? one : worst)).attack;
  return [...new Set([most('cost'), most('growth')])];
}

/** In microseconds. */
const NOISE = 100;
