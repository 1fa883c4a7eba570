import {
  CasefileError,
  deadLetterListSchema,
  deadLetterResultsSchema,
  deadLetterSchema,
  redriveDeadLetterSchema,
  redrivenDeadLetterSchema,
  shownDeadLetter,
  shownDeadLetterSchema,
  timeSchema,
  z,
  type DeadLetter,
  type DeadLetterFilter,
  type DeadLetterResults,
  type JsonObject,
  type RedrivenDeadLetter,
} from '@casefile/contracts';
import { problemOf, recordReport } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

type DeadLetterResult = DeadLetterResults['results'][number];

/** Maximum number of dead letters per request. Further dead letters need another request. */
const AT_ONCE = 10_000;

/** Ids as requests name them. */
const idsSchema = z.array(z.string().min(1).max(200)).min(1).max(AT_ONCE);

function wentWell({ id, kind, caseId }: DeadLetter): RedrivenDeadLetter {
  return { id, kind, caseId };
}

function wentWrong(id: string, thrown: unknown): DeadLetterResult {
  return { id, problem: problemOf(thrown).problem };
}

/** Result for an id that is unknown or was acted on already. A repeated request therefore does no harm. */
function noSuchLetter(id: string): DeadLetterResult {
  return wentWrong(id, new CasefileError('not_found', 'no dead letter has this id'));
}

/**
 * Sends a buried alert through intake again. Its idempotency key accepts the alert only once, even if the
 * redrive is repeated or was cut short before the dead letter was removed. An edited alert keeps the proof of
 * its sender: the event names the editor.
 * @throws the errors of intake.
 */
async function redriveAlert(
  ports: ConsolePorts,
  letter: DeadLetter,
  edit?: { alert: JsonObject; by: string },
): Promise<RedrivenDeadLetter> {
  const { id, kind, payload, provenBy } = letter;
  const { store, intake } = ports;
  if (kind === 'feedback') return redriveFeedback(ports, letter, edit !== undefined);
  const original = edit === undefined ? null : await intake.original(payload);
  const accepted = await intake.accept(edit?.alert ?? payload, {
    idempotencyKey: `dead-letter:${id}`,
    ...(provenBy ? { provenBy } : {}),
  });
  await store.deadLetters.settle(id, accepted, edit && { original, by: edit.by });
  return wentWell({ ...letter, caseId: accepted.caseId });
}

/** Records feedback again. If the report was recorded meanwhile, it counts as a repeat. */
async function redriveFeedback(
  ports: ConsolePorts,
  letter: DeadLetter,
  isEdited: boolean,
): Promise<RedrivenDeadLetter> {
  if (isEdited) throw new CasefileError('conflict', 'Only an alert that was not accepted can be edited.');
  const { caseId, runId } = await recordReport(ports, letter.payload);
  await ports.store.deadLetters.settle(letter.id, { caseId, runId, alertId: runId });
  return wentWell({ ...letter, caseId });
}

/**
 * Maximum characters of a payload that a list shows whole: more than any text of an alert, less than an
 * image.
 */
const PAYLOAD_SHOWN = 20_000;

/** Filters for listing dead letters and for redriving by filter. */
const deadLetterFilter = {
  q: z.string().max(500).optional(),
  reason: z.string().max(100).optional(),
  kind: deadLetterSchema.shape.kind.optional(),
  source: z.string().max(200).optional().describe("A part of the sender's name."),
  from: timeSchema.optional(),
  to: timeSchema.optional().describe('Until this time. A date includes its whole day, in UTC.'),
};

// The list shortens long payloads. The whole payload has a separate URL.
function withShortPayload(letter: DeadLetter): DeadLetter {
  const text = JSON.stringify(letter.payload);
  if (text.length <= PAYLOAD_SHOWN) return letter;
  return { ...letter, payload: { cut: true, characters: text.length, head: text.slice(0, PAYLOAD_SHOWN) } };
}

/** Number of alerts that go through intake concurrently. */
const ALERTS_AT_ONCE = 10;

const PAGE = 1_000;

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
    results.push(...(await Promise.all(some.map((letter) => portResult(ports, letter)))));
  }
  return results;
}

async function portResult(ports: ConsolePorts, letter: DeadLetter): Promise<DeadLetterResult> {
  return redriveAlert(ports, letter).catch((thrown: unknown) => wentWrong(letter.id, thrown));
}

async function redriveRun(
  { store, queue }: ConsolePorts,
  letter: DeadLetter,
  alert: JsonObject | undefined,
): Promise<RedrivenDeadLetter> {
  if (alert !== undefined)
    throw new CasefileError(
      'conflict',
      'This dead letter is a run. Only an alert that was not accepted can be edited.',
    );
  const { redriven, nudges } = await store.deadLetters.redrive(letter.runId === null ? [] : [letter.runId]);
  await queue.nudge(nudges);
  if (redriven.length === 0) throw new CasefileError('not_found', 'no dead letter has this id');
  return wentWell(letter);
}

/** Work that needs an operator. */
export const deadLetterRoutes = [
  route({
    method: 'get',
    path: '/dead-letters',
    operationId: 'listDeadLetters',
    tag: 'dead letters',
    summary: 'Work that waits for a person',
    input: {
      query: z.strictObject({
        ...deadLetterFilter,
        cursor: z.string().max(1_000).optional(),
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
      }),
    },
    answer: '{ deadLetters, nextCursor }, newest first: kind, reason, of an alert its raw payload, cut',
    response: deadLetterListSchema,
    handler: async ({ store }, { query }) => {
      const { cursor: _cursor, limit: _limit, reason: _reason, ...others } = query;
      const [{ items, nextCursor }, reasons] = await Promise.all([
        store.deadLetters.find(query),
        store.deadLetters.count(others),
      ]);
      const deadLetters = items.map(withShortPayload);
      return { deadLetters: deadLetters.map(shownDeadLetter), nextCursor, reasons, items: deadLetters };
    },
  }),
  route({
    method: 'get',
    path: '/dead-letters/{letterId}',
    operationId: 'getDeadLetter',
    tag: 'dead letters',
    summary: 'One dead letter with its whole payload',
    input: { params: z.object({ letterId: z.string().max(200) }) },
    answer:
      'Its kind, reason and, for an alert, the raw payload; also of an alert that was edited and accepted',
    response: shownDeadLetterSchema,
    handler: async ({ store }, { params }) => {
      const [waiting] = await store.deadLetters.of([params.letterId]);
      const letter = waiting ?? (await store.deadLetters.edited(params.letterId));
      if (letter === null) throw new CasefileError('not_found', 'no dead letter has this id');
      return shownDeadLetter(letter);
    },
  }),
  route({
    method: 'post',
    path: '/dead-letters/redrive',
    operationId: 'redriveDeadLetters',
    tag: 'dead letters',
    summary: 'Redrive dead letters: { "ids": [...] }, { "filter": {...} } or { "all": true }',
    input: {
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
    },
    answer: '{ results }: for each dead letter its kind and case, or the problem that prevented the redrive',
    response: deadLetterResultsSchema,
    handler: async (ports, { body }) => {
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
    },
  }),
  // Redrives one dead letter, with an edited alert if the request has one.
  // @throws CasefileError `not_found`, `conflict` if the edited dead letter is not an alert; InvalidInput as
  // intake throws it.
  route({
    method: 'post',
    path: '/dead-letters/{letterId}/redrive',
    operationId: 'redriveDeadLetter',
    tag: 'dead letters',
    summary: 'Redrive one dead letter with an edited alert: { "alert": {...} }',
    input: {
      params: z.object({ letterId: z.string().max(200) }),
      body: redriveDeadLetterSchema,
    },
    problems: [404, 409, 422],
    answer: '{ id, kind, caseId }. 400 names each field of the alert that is wrong, as the intake does',
    response: redrivenDeadLetterSchema,
    handler: async (ports, { params, body: { alert, by = 'console' } }) => {
      const [letter] = await ports.store.deadLetters.of([params.letterId]);
      if (letter === undefined) throw new CasefileError('not_found', 'no dead letter has this id');
      if (letter.kind !== 'run')
        return redriveAlert(ports, letter, alert === undefined ? undefined : { alert, by });
      return redriveRun(ports, letter, alert);
    },
  }),
  route({
    method: 'post',
    path: '/dead-letters/drop',
    operationId: 'dropDeadLetters',
    tag: 'dead letters',
    summary: 'Drop dead letters: { "ids": [...] }',
    input: { body: z.strictObject({ ids: idsSchema }) },
    answer: '{ results }: for each id its kind and case, or a problem if the id is not a dead letter',
    response: deadLetterResultsSchema,
    handler: async ({ store }, { body }) => {
      const ids = [...new Set(body.ids)];
      const letters = await store.deadLetters.of(ids);
      const dropped = new Set(await store.deadLetters.drop(letters.map((letter) => letter.id)));
      const went = letters.filter((letter) => dropped.has(letter.id));
      return { results: [...went.map(wentWell), ...ids.filter((id) => !dropped.has(id)).map(noSuchLetter)] };
    },
  }),
];
