import { CasefileError, z, type DeadLetter } from '@casefile/contracts';
import { problemOf, type Problem } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import type { Handler } from '../http/route.js';

/** Dead letters looked at in one request; what is beyond is for the next one. */
const AT_ONCE = 10_000;

export const redriveDeadLettersInput = {
  body: z
    .strictObject({
      ids: z.array(z.string().min(1).max(200)).min(1).max(AT_ONCE).optional(),
      all: z.literal(true).optional(),
    })
    .refine((body) => (body.ids === undefined) !== (body.all === undefined), {
      error: 'expected either ids or all',
      path: ['ids'],
    }),
};

export type RedriveResult = { id: string } & (
  { kind: DeadLetter['kind']; caseId: string | null } | { problem: Problem }
);

/** Sends dead letters on their way again; `{ results }` says for each whether it went. */
export const redriveDeadLetters: Handler<typeof redriveDeadLettersInput> = async (ports, { body }) => {
  const letters = await ports.store.listDeadLetters(AT_ONCE);
  const byId = new Map(letters.map((letter) => [letter.id, letter]));
  const wanted = body.ids === undefined ? letters.map((letter) => letter.id) : [...new Set(body.ids)];
  const chosen = wanted.flatMap((id) => byId.get(id) ?? []);
  const runs = await redriveRuns(
    ports,
    chosen.filter((letter) => letter.kind === 'run'),
  );
  const others = [];
  for (const letter of chosen.filter((it) => it.kind !== 'run')) others.push(await redriveOne(ports, letter));
  const unknown = wanted.filter((id) => !byId.has(id)).map(refusedAsUnknown);
  return { results: [...runs, ...others, ...unknown] };
};

async function redriveRuns({ store, queue }: ConsolePorts, letters: DeadLetter[]): Promise<RedriveResult[]> {
  if (letters.length === 0) return [];
  await queue.nudge(await store.redriveRuns(letters.flatMap((letter) => letter.runId ?? [])));
  return letters.map(({ id, kind, caseId }) => ({ id, kind, caseId }));
}

// The key makes a redrive that is repeated, or was cut short before the letter was taken away, accept the alert once.
async function redriveOne(
  { store, intake }: ConsolePorts,
  { id, kind, payload }: DeadLetter,
): Promise<RedriveResult> {
  try {
    if (kind !== 'alert')
      throw new CasefileError('invalid_input', 'deliveries are tried again by themselves');
    const { caseId } = await intake.accept(payload, { idempotencyKey: `dead-letter:${id}` });
    await store.dropBuriedAlerts([id]);
    return { id, kind, caseId };
  } catch (thrown) {
    return { id, problem: problemOf(thrown).problem };
  }
}

function refusedAsUnknown(id: string): RedriveResult {
  return { id, problem: problemOf(new CasefileError('not_found', 'no dead letter has this id')).problem };
}
