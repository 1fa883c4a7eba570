import { randomUUID } from 'node:crypto';
import { experimentFlag, type StepBack } from '@casefile/contracts';
import type { PostgresStore } from '@casefile/store';

/** Returns who acts in a test, with an id of its own. */
export const testAct = (reason = 'a test') => ({ by: 'ann', reason, actId: randomUUID() });

/** Writes a running A/B experiment with the arms control and new, and switches its flag on. */
export async function startExperiment(
  store: PostgresStore,
  playbook: string,
  { name = 'shorter prompt', share = 0.5 } = {},
): Promise<string> {
  const id = randomUUID();
  const arms = [
    { name: 'control', settings: {} },
    { name: 'new', settings: { options: {} } },
  ];
  await store.database.rows(
    `insert into experiments (id, name, playbook, mode, arms, share, margin, expected_cases, salt, state, author, started_at)
     values ($1, $2, $3, 'ab', $4::json, $5, 0.05, 500, 's', 'running', 'ann', now())`,
    [id, name, playbook, JSON.stringify(arms), share],
  );
  await store.flags.set({ name: experimentFlag(id), variant: 'on', ...testAct('start') });
  return id;
}

/** Transaction of the events that tests count: after every event of a test, since older ones are not counted. */
const LATER_XID = '4000000000';
let outcomes = 0;

/**
 * Counts ended runs of both arms as the monitor of the arms does. Each letter of `control` and `changed` is
 * one run; `x` is a failed one. The arms alternate. Runs that end later are not counted.
 */
export function countOutcomes(
  store: PostgresStore,
  experiment: string,
  { control, changed }: { control: string; changed: string },
): Promise<StepBack | null> {
  const list = Array.from({ length: Math.max(control.length, changed.length) }).flatMap((_, i) => [
    ...[...control.slice(i, i + 1)].map((letter) => ({ arm: 'control', letter })),
    ...[...changed.slice(i, i + 1)].map((letter) => ({ arm: 'new', letter })),
  ]);
  const counted = list.map(({ arm, letter }) => {
    outcomes += 1;
    const at = new Date(Date.UTC(2026, 0, 5) + outcomes * 1_000).toISOString();
    const fault = letter === 'x' ? 'invalid_answer' : null;
    return { arm, runId: randomUUID(), event: `${LATER_XID}.${outcomes}`, at, fault };
  });
  return store.flags.count(experiment, counted, () => false);
}
