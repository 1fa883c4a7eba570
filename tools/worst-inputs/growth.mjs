// How the work of something grows with the length of its input: ratios of processor time within one run.

/** Lengths in characters; each is four times the one before. */
const LENGTHS = [782, 3_125, 12_500, 50_000, 200_000];
/**
 * What takes less processor time than its floor, in microseconds, is not looked at for growth. A match makes no garbage and
 * takes a few nanoseconds a character. A parser makes garbage, and its collection looks like growth in what is shorter.
 */
export const FLOORS = { pattern: 3_000, parser: 300_000 };
const RUNS = 5;
const LONG = 200_000;
/** Four times the length is four times the work where it is linear, sixteen where it is quadratic. */
const MOST = 8;
/** What grows more in one run at each length is measured well. */
const SUSPECT = 6;

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

/**
 * Where the work grows faster than its input, as a sentence; null: nowhere. One run at each length shows whether it may be too
 * steep there; only then both lengths are measured well. Ends at the first step that is too steep.
 */
export async function growsTooFast(run, { name, make }, { floor, lengths = LENGTHS }) {
  let last = await onceOf(run, make(lengths[0]));
  for (let i = 1; i < lengths.length; i += 1) {
    const [less, more] = [lengths[i - 1], lengths[i]];
    const before = last;
    last = await onceOf(run, make(more));
    if (last <= MOST * floor || last <= SUSPECT * before) continue;
    // Garbage that is collected in one of the two looks like growth: a step is too steep when it is so each time.
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

/** Of many attacks the one that costs most, and the one whose cost grows most from one small length to another. */
export async function worstOf(run, attacks) {
  if (attacks.length === 0) return [];
  const tried = [];
  for (const attack of attacks) {
    const [less, more] = [await onceOf(run, attack.make(500)), await onceOf(run, attack.make(2_000))];
    tried.push({ attack, cost: more, growth: more / (less + NOISE) });
  }
  const most = (by) => tried.reduce((worst, one) => (one[by] > worst[by] ? one : worst)).attack;
  return [...new Set([most('cost'), most('growth')])];
}

/** In microseconds. */
const NOISE = 100;
