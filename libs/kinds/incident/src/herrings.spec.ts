import { herrings } from './testing/herrings.js';
import { confirmsTheCauseAlone } from './testing/herrings.suite.js';

/** Scenarios of the fast tier: values of metrics, a change among noise, and causes that nothing separates. */
const FAST = ['pool-against-disk', 'release-against-noise', 'two-changes'];
const all = herrings().filter(({ id }) => FAST.includes(id));

describe('T-61 an incident with a louder fault that has nothing to do with it', () => {
  it.each(all.map((one) => [one.id, one] as const))('%s: confirms the cause alone', (_id, herring) =>
    confirmsTheCauseAlone(herring),
  );
});
