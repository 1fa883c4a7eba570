// The measured process. It reads the inputs that its parent sends, one after another.
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileInputs } from './inputs.js';
import { Turns } from './turns.js';

/** Report of the process after it has read the input. */
export interface Met {
  refusedWith: string | null;
  /**
   * Longest turn of the event loop, in milliseconds of processor time of its thread. Other processes of a busy machine do
   * not lengthen it. On a system without /proc it is wall time.
   */
  blockedMs: number;
}

/** First message of the parent for each input. After the answer `ready`, any message begins the attack. */
export interface Order {
  name: string;
  place: string;
}

const SOME_TURNS_MS = 20;
process.once('disconnect', () => process.exit(0));
for (;;) process.send?.(await meet((await message()) as Order));

async function meet({ name, place }: Order): Promise<Met> {
  const input = hostileInputs.find((one) => one.name === name);
  if (input === undefined) throw new Error(`there is no input ${name}`);
  const attack = await input.serve(place);
  const begin = message();
  process.send?.('ready');
  await begin;
  const turns = new Turns();
  // The first turn only sets the time from which the next one is measured.
  await sleep(SOME_TURNS_MS);
  const refusedWith = await attack();
  // The loop measures a blocked turn at the next one.
  await sleep(SOME_TURNS_MS);
  return { refusedWith, blockedMs: Math.round(turns.end()) };
}

function message(): Promise<unknown> {
  return new Promise((resolve) => process.once('message', resolve));
}
