// Measures one regular expression over its own worst inputs.
import { attacksOn } from './attacks.mjs';
import { FLOORS, growsTooFast, worstOf } from './growth.mjs';

/** Selects the inputs to measure with. */
export const chosen = process.env.WORST_INPUTS === 'all' ? (_run, attacks) => attacks : worstOf;

/** Returns the input over which a pattern is too slow. null: there is none. */
export async function trouble({ source, flags }) {
  const pattern = new RegExp(source, flags);
  const run = (text) => matchAll(pattern, text);
  for (const attack of await chosen(run, attacksOn({ source, flags }))) {
    const steep = await growsTooFast(run, attack, { floor: FLOORS.pattern });
    if (steep !== null) return `/${source}/${flags} ${steep}`;
  }
  return null;
}

/**
 * Finds all matches, or the first if a pattern has no flag for all, and keeps none, because garbage
 * collection may run at any time.
 */
function matchAll(pattern, text) {
  pattern.lastIndex = 0;
  for (let from = -1; pattern.test(text) && pattern.global; from = pattern.lastIndex)
    if (pattern.lastIndex === from) pattern.lastIndex += 1;
}
