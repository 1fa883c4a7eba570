import { playHerring, type Herring } from './herrings.js';

/** Look-ups of the worst path, relative to the shortest. */
const MOST_RATIO = 1.5;

/**
 * Plays a scenario on three paths, and expects that the true cause alone is confirmed, soon, and never to a model that
 * does not name it.
 * @param answers Answers of the tests by their key, and the start of the alert. Default: those of the scenario.
 */
export async function confirmsTheCauseAlone(
  herring: Herring,
  ...answers: [answers?: ReadonlyMap<string, string>, startsAt?: number]
): Promise<void> {
  const trueCauses = herring.causes.filter(({ isTrue }) => isTrue).map(({ name }) => name);
  const expected = herring.confirms ? trueCauses : [];
  const shortest = await playHerring(herring, 'shortest', ...answers);
  expect(shortest.confirmed).toEqual(expected);
  const worst = await playHerring(herring, 'worst', ...answers);
  expect(worst.confirmed).toEqual(expected);
  if (herring.confirms) expect(worst.lookUps).toBeLessThanOrEqual(MOST_RATIO * shortest.lookUps);
  expect((await playHerring(herring, 'liar', ...answers)).confirmed).toEqual([]);
}
