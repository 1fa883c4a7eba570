import {
  CasefileError,
  createSilenceSchema,
  endSilenceSchema,
  InvalidInput,
  LONGEST_SILENCE_MS,
  shownSilenceSchema,
  silenceListSchema,
  silenceQuerySchema,
  z,
  type CreateSilence,
  type FieldProblem,
} from '@casefile/contracts';
import { matcherProblems } from '@casefile/runtime';
import { actOf, existing } from '../http/act-of.js';
import { route } from '../http/route.js';

/** Returns the times of a silence in milliseconds. @throws InvalidInput that names each wrong field. */
function checked({ matchers, startsAt, endsAt }: CreateSilence, now: number): { from: number; to: number } {
  const problems: FieldProblem[] = matcherProblems(matchers);
  // A start in the past would withhold nothing that has left already.
  const from = Math.max(now, startsAt === undefined ? now : Date.parse(startsAt));
  const to = Date.parse(endsAt);
  if (to <= from) problems.push({ path: 'endsAt', message: 'expected a time after the start and after now' });
  if (to - from > LONGEST_SILENCE_MS)
    problems.push({ path: 'endsAt', message: 'expected at most 7 days after the start' });
  if (problems.length > 0) throw new InvalidInput(problems, 'silence');
  return { from, to };
}

/** Times without messages about matching alerts. */
export const silenceRoutes = [
  route({
    method: 'get',
    path: '/silences',
    operationId: 'listSilences',
    right: 'viewer',
    tag: 'silences',
    summary: 'Silences with the number of messages that each withheld',
    input: { query: silenceQuerySchema },
    answer: '{ silences }: those in force first, then planned ones, then the newest that are over',
    response: silenceListSchema,
    handler: async ({ store, now }, { query: { state = null } }) => ({
      silences: await store.silences.list(state, now()),
    }),
  }),
  route({
    method: 'post',
    path: '/silences',
    operationId: 'createSilence',
    right: 'operator',
    tag: 'silences',
    summary:
      'Create a silence: { "matchers": [{ "name": "service", "value": "checkout" }], "endsAt": "2026-01-05T12:00:00Z", "reason": "Deployment" }',
    input: { body: createSilenceSchema },
    problems: [409],
    answer: 'The silence. Cases of matching alerts are judged, and no destination is notified of them',
    status: 201,
    response: shownSilenceSchema,
    handler: async (ports, { body }) => {
      const { store, now, newId } = ports;
      const at = now();
      const { from, to } = checked(body, at);
      const { matchers, reason, by, actId } = body;
      const act = actOf(ports, { by, reason, actId });
      // A repeated request with the same `actId` returns the silence of the first.
      const id = actId === undefined ? newId() : act.actId;
      const times = { startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() };
      await store.silences.create({ id, matchers, ...times, reason, author: act.by }, act);
      return existing('silence', id, await store.silences.get(id, at));
    },
  }),
  route({
    method: 'post',
    path: '/silences/{id}/end',
    operationId: 'endSilence',
    right: 'operator',
    tag: 'silences',
    summary: 'End a silence early, or cancel a planned one',
    input: { params: z.object({ id: z.string().max(100) }), body: endSilenceSchema },
    problems: [404, 409],
    answer: 'The silence. What still fires is judged again. 409: it is over, or it is one of Alertmanager',
    response: shownSilenceSchema,
    handler: async (ports, { params: { id }, body }) => {
      const { store, now } = ports;
      const before = existing('silence', id, await store.silences.get(id, now()));
      if (before.source === 'alertmanager')
        throw new CasefileError('conflict', 'the silence is one of Alertmanager: expire it there');
      const at = now();
      if (!(await store.silences.end(id, actOf(ports, body), at)))
        throw new CasefileError('conflict', `the silence ended at ${before.endsAt}`);
      return existing('silence', id, await store.silences.get(id, at));
    },
  }),
];
