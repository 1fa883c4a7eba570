import { searchable } from '../testing/searchable.js';
import type { World } from '../testing/world.js';

/** A verdict that waits for a person, with the text of its alert. */
export interface Waiting {
  id: string;
  text: string;
}

/**
 * Has rules judge texts that they do not read. Returns their verdicts, which wait for a person, in the order of the
 * desk.
 */
export async function waitingVerdicts(world: World, count: number, about: string): Promise<Waiting[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const text = `Können wir unser Treffen ${about} ${i} am Freitag auf vier Uhr verschieben?`;
    ids.push((await world.accept({ playbook: 'scam-verdict', text, collect: false })).caseId);
  }
  for (const id of ids) await world.ended(id);
  await searchable(world.platform.store);
  const query = { state: 'open', sort: 'oldest', limit: 200, now: Date.now() } as const;
  const { reviews } = await world.platform.store.reviews.list(query);
  return reviews.map(({ caseId: id, text }) => ({ id, text })).filter(({ id }) => ids.includes(id));
}
