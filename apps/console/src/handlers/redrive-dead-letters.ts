import { z, type DeadLetter, type DeadLetterFilter, type DeadLetterResults } from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import {
  AT_ONCE,
  idsSchema,
  noSuchLetter,
  redriveAlert,
  wentWell,
  wentWrong,
  type DeadLetterResult,
} from '../dead-letter-results.js';
import type { Handler } from '../http/route.js';
import { deadLetterFilter } from './list-dead-letters.js';

/** Alerts that go through intake at the same time. */
const ALERTS_AT_ONCE = 10;
const PAGE = 1_000;

export const redriveDeadLettersInput = {
  body: z
    .strictObject({
      ids: idsSchema.optional(),
      filter: z.strictObject(deadLetterFilter).optional(),
      all: z.literal(true).optional(),
    })
    .refine(({ ids, filter, all }) => [ids, filter, all].filter((it) => it !== undefined).length === 1, {
      error: 'expected one of ids, filter and all',
      path: ['ids'],
    }),
};

/** Sends dead letters on their way again; `{ results }` says for each whether it went. */
export const redriveDeadLetters: Handler<typeof redriveDeadLettersInput, DeadLetterResults> = async (
  ports,
  { body },
) => {
  const ids = body.ids === undefined ? undefined : [...new Set(body.ids)];
  const letters =
    ids === undefined ? await allOf(ports, body.filter ?? {}) : await ports.store.deadLetters.of(ids);
  const there = new Set(letters.map((letter) => letter.id));
  const runs = await redriveRuns(
    ports,
    letters.filter((letter) => letter.kind === 'run'),
  );
  const alerts = await redriveAlerts(
    ports,
    letters.filter((letter) => letter.kind !== 'run'),
  );
  const unknown = (ids ?? []).filter((id) => !there.has(id)).map(noSuchLetter);
  return { results: [...runs, ...alerts, ...unknown] };
};

async function allOf({ store }: ConsolePorts, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.deadLetters.find({ ...filter, limit: PAGE, ...(cursor ? { cursor } : {}) });
    letters.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && letters.length < AT_ONCE);
  return letters.slice(0, AT_ONCE);
}

async function redriveRuns(
  { store, queue }: ConsolePorts,
  letters: DeadLetter[],
): Promise<DeadLetterResult[]> {
  if (letters.length === 0) return [];
  const { redriven, nudges } = await store.deadLetters.redrive(
    letters.flatMap((letter) => letter.runId ?? []),
  );
  await queue.nudge(nudges);
  const went = new Set(redriven);
  return letters.map((letter) => (went.has(letter.id) ? wentWell(letter) : noSuchLetter(letter.id)));
}

async function redriveAlerts(ports: ConsolePorts, letters: DeadLetter[]): Promise<DeadLetterResult[]> {
  const results: DeadLetterResult[] = [];
  for (let first = 0; first < letters.length; first += ALERTS_AT_ONCE) {
    const some = letters.slice(first, first + ALERTS_AT_ONCE);
    results.push(...(await Promise.all(some.map((letter) => resultOf(ports, letter)))));
  }
  return results;
}

async function resultOf(ports: ConsolePorts, letter: DeadLetter): Promise<DeadLetterResult> {
  return redriveAlert(ports, letter).catch((thrown: unknown) => wentWrong(letter.id, thrown));
}
