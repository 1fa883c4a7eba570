import type { FiveServices } from '../testing/five-services.js';
import { deskClient } from './desk-client.js';

export interface RaceFigures {
  races: number;
  /** Answers that are not on their case (expected: 0). */
  lost: number;
  /** Cases that show both answers, and the conflict between them (expected: all). */
  disputed: number;
  /** Cases whose verdict is the newest answer (expected: all). */
  newestStands: number;
}

const OUTCOMES = { ann: 'high', ben: 'low' } as const;
type Person = keyof typeof OUTCOMES;

/** Two people answer the same cases at the same time, each on another console if there are two. */
export async function racesOfTwo(world: FiveServices, ids: readonly string[]): Promise<RaceFigures> {
  const consoles = world.services.filter(({ name }) => name === 'console').map(({ url }) => deskClient(url));
  const [first, second = first] = consoles as [(typeof consoles)[0], (typeof consoles)[0]?];
  const answer = (on: typeof first, id: string, by: Person) =>
    on.post(`/reviews/${id}/answer`, { outcome: { riskLevel: OUTCOMES[by] }, by, actId: `${by} ${id}` });
  const figures: RaceFigures = { races: ids.length, lost: 0, disputed: 0, newestStands: 0 };
  for (const id of ids) {
    await Promise.all([answer(first, id, 'ann'), answer(second, id, 'ben')]);
    const { state, answers, history, verdict } = await first.review(id);
    for (const by of ['ann', 'ben'] as const) {
      const isKept = answers.some((one) => one.by === by && one.outcome?.['riskLevel'] === OUTCOMES[by]);
      if (!isKept || !history.some(({ actId }) => actId === `${by} ${id}`)) figures.lost += 1;
    }
    if (state === 'disputed' && answers.length === 2) figures.disputed += 1;
    const newest = answers.at(-1);
    if (newest !== undefined && verdict.decidedBy?.person === newest.by) figures.newestStands += 1;
  }
  return figures;
}
