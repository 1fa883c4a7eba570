import {
  CasefileError,
  deadLetterListSchema,
  deadLetterResultsSchema,
  deadLetterSchema,
  redriveDeadLetterSchema,
  redrivenDeadLetterSchema,
  shownDeadLetter,
  shownDeadLetterSchema,
  personal,
  timeSchema,
  z,
  type DeadLetter,
  type DeadLetterFilter,
  cursorField,
  limitField,
} from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import {
  wentWell,
  noSuchLetter,
  redriveAlert,
  redriveRuns,
  redriveAlerts,
  redriveRun,
} from '../redrive-dead-letters.js';

/** Maximum number of dead letters per request. Further dead letters need another request. */
const AT_ONCE = 10_000;

/** Ids as requests name them. */
const idsSchema = z.array(z.string().min(1).max(200)).min(1).max(AT_ONCE);

/**
 * Maximum characters of a payload that a list shows whole: more than any text of an alert, less than an
 * image.
 */
const PAYLOAD_SHOWN = 20_000;

/** Filters for listing dead letters and for redriving by filter. */
const deadLetterFilter = {
  q: personal(z.string().max(500)).optional().describe('Text in the payload.'),
  reason: z.string().max(100).optional().describe('Reason code.'),
  kind: deadLetterSchema.shape.kind.optional(),
  source: z.string().max(200).optional().describe("A part of the sender's name."),
  from: timeSchema.optional().describe('From this time on.'),
  to: timeSchema.optional().describe('Until this time. A date includes its whole day, in UTC.'),
};

// The list shortens long payloads. The whole payload has a separate URL.
function withShortPayload(letter: DeadLetter): DeadLetter {
  const text = JSON.stringify(letter.payload);
  if (text.length <= PAYLOAD_SHOWN) return letter;
  return { ...letter, payload: { cut: true, characters: text.length, head: text.slice(0, PAYLOAD_SHOWN) } };
}

const PAGE = 1_000;

async function allDeadLetters({ store }: ConsolePorts, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.deadLetters.find({ ...filter, limit: PAGE, ...(cursor ? { cursor } : {}) });
    letters.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && letters.length < AT_ONCE);
  return letters.slice(0, AT_ONCE);
}

/** Work that needs an operator. */
export const deadLetterRoutes = [
  route({
    method: 'get',
    path: '/dead-letters',
    operationId: 'listDeadLetters',
    right: 'reviewer',
    tag: 'dead letters',
    summary: 'Work that waits for a person',
    input: {
      query: z.strictObject({
        ...deadLetterFilter,
        cursor: cursorField(),
        limit: limitField(1_000, 100),
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
      const deadLetters = items.map((letter) => shownDeadLetter(withShortPayload(letter)));
      return { deadLetters, nextCursor, reasons };
    },
  }),
  route({
    method: 'get',
    path: '/dead-letters/{letterId}',
    operationId: 'getDeadLetter',
    right: 'reviewer',
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
    right: 'operator',
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
        ids === undefined
          ? await allDeadLetters(ports, body.filter ?? {})
          : await ports.store.deadLetters.of(ids);
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
    right: 'operator',
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
    right: 'operator',
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
