import { herrings, playHerring, type Herring } from './testing/herrings.js';

/** Scenarios of the fast tier: values of metrics, a change among noise, and causes that nothing separates. */
const FAST = ['pool-against-disk', 'release-against-noise', 'two-changes'];
const all = herrings().filter(({ id }) => FAST.includes(id));
const trueCauses = ({ causes, confirms }: Herring): string[] =>
  confirms ? causes.filter(({ isTrue }) => isTrue).map(({ name }) => name) : [];

describe('T-61 an incident with a louder fault that has nothing to do with it', () => {
  it.each(all.map((one) => [one.id, one] as const))('%s: confirms the cause alone', async (_id, herring) => {
    const shortest = await playHerring(herring, 'shortest');
    expect(shortest.confirmed).toEqual(trueCauses(herring));
    const worst = await playHerring(herring, 'worst');
    expect(worst.confirmed).toEqual(trueCauses(herring));
    if (herring.confirms) expect(worst.lookUps).toBeLessThanOrEqual(1.5 * shortest.lookUps);
    expect((await playHerring(herring, 'liar')).confirmed).toEqual([]);
  });
});
