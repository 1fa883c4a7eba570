import { until } from '@casefile/contracts/testing';
import type { FiveServices } from '../testing/five-services.js';
import { rowsIn } from '../testing/run-casefile.js';
import { casesIn, deskClient } from './desk-client.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

export interface BulkFigures {
  cases: number;
  /** Cases that had their answer when the console was killed. */
  answeredAtKill: number;
  /** Of the repeated request: cases that were answered, and refused. */
  done: number;
  refused: number;
  /** Cases with exactly one answer, marked as bulk, with actor and time (expected: all). */
  once: number;
  /** Events of the answers (expected: one per case). */
  events: number;
  /** Cases that had answers when the console was killed during the undo. */
  answeredAtSecondKill: number;
  /** Cases that wait again with the verdict of their run after the undo (expected: all). */
  restored: number;
}

const ACT_ID = 'a bulk answer';
const UNDO_ID = 'an undo of the bulk answer';
const isInstant = (text: string): boolean => new Date(text).toISOString() === text;

/**
 * Answers cases in one request and kills the console halfway, repeats the request, and takes the answers back
 * in the same way.
 */
export async function bulkKilled(world: FiveServices, ids: readonly string[]): Promise<BulkFigures> {
  const answers = { ids, outcome: { riskLevel: 'low' }, note: 'test texts', by: 'ann', actId: ACT_ID };
  const undo = { ids, undoes: ACT_ID, by: 'ann', actId: UNDO_ID };
  const answered = async () => {
    const all = new Set(await casesIn(world, 'answered'));
    return ids.filter((id) => all.has(id)).length;
  };
  const half = ids.length / 2;
  const before = (await client(world).review(ids[0]!)).word;
  const answeredAtKill = await killed(world, answers, answered, (count) => count >= half);
  const { done, refused } = await client(world).bulk(answers);
  let [once, restored] = [0, 0];
  for (const id of ids) {
    const { history, state } = await client(world).review(id);
    const [act] = history;
    const isOnce = history.length === 1 && act?.by === 'ann' && act.bulk && isInstant(act.at);
    if (isOnce && state === 'answered') once += 1;
  }
  const events = await eventsOf(world, ids);
  const answeredAtSecondKill = await killed(world, undo, answered, (count) => count <= half);
  await client(world).bulk(undo);
  for (const id of ids) {
    const { history, state, word } = await client(world).review(id);
    if (history.length === 2 && state === 'open' && word === before) restored += 1;
  }
  return {
    cases: ids.length,
    answeredAtKill,
    done,
    refused,
    once,
    events,
    answeredAtSecondKill,
    restored,
  };
}

const client = (world: FiveServices) => deskClient(world.service('console').url);

// Resolves to the number of answered cases after the kill.
async function killed(
  world: FiveServices,
  body: object,
  answered: () => Promise<number>,
  isHalf: (count: number) => boolean,
): Promise<number> {
  const broken = client(world)
    .bulk(body)
    .catch(() => null);
  await until('half of the cases', async () => isHalf(await answered()), 20, WHOLE_SYSTEM_MS);
  await world.service('console').signal('SIGKILL');
  await broken;
  const count = await answered();
  await world.service('console').start();
  return count;
}

async function eventsOf(world: FiveServices, ids: readonly string[]): Promise<number> {
  const events = await rowsIn(
    world.databaseUrl,
    "select case_id from events where type = 'review.corrected' and data ->> 'by' = 'ann'",
  );
  const own = new Set(ids);
  return events.filter((event) => own.has(String(event['case_id']))).length;
}
