import {
  CASE_ORDERS,
  CASE_STATUSES,
  CasefileError,
  caseListSchema,
  DISPOSITIONS,
  givenSignalSchema,
  giveSignalSchema,
  IMAGE_TYPES,
  LANES,
  METHODS,
  MICROS,
  raiseBudgetSchema,
  raisedBudgetSchema,
  shownCaseSchema,
  personal,
  timeSchema,
  z,
  type CaseDocument,
  type CaseQuery,
  cursorField,
  limitField,
  kindField,
} from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { serveEventStream } from '../live/serve-event-stream.js';
import { caseSummaryEntry, shownCase } from '../shown-case.js';

const yesOrNo = z.enum(['true', 'false']);

/** Content policy for images. Whatever the bytes are, a browser may not run, frame or guess them. */
const NOTHING_BUT_AN_IMAGE = "default-src 'none'; sandbox; frame-ancestors 'none'";

const listCases = route({
  method: 'get',
  path: '/cases',
  operationId: 'listCases',
  right: 'viewer',
  tag: 'cases',
  summary: 'Cases, newest or oldest first',
  input: {
    query: z.strictObject({
      status: z.enum(CASE_STATUSES).optional().describe('State of the case.'),
      playbook: kindField(),
      action: z.string().max(100).optional().describe('What the verdict does, as its kind names it.'),
      lane: z.enum(LANES).optional().describe('Lane of the newest run.'),
      dataset: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Cases that `casefile eval` judged on this data set; without it, those of no data set.'),
      disposition: z.enum(DISPOSITIONS).optional().describe('Disposition of the verdict.'),
      method: z.enum(METHODS).optional().describe('Who judged: a model, rules, or hand-written answers.'),
      degraded: yesOrNo.optional().describe('Whether the verdict is degraded.'),
      missing: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Tool of which a look-up gave no answer, as in `missing` of `GET /quality`.'),
      q: personal(z.string().max(500)).optional().describe('Words of the alert, or a value that it names.'),
      from: timeSchema.optional().describe('From this time on.'),
      to: timeSchema.optional().describe('Until this time. A date includes its whole day, in UTC.'),
      order: z
        .enum(CASE_ORDERS)
        .optional()
        .describe('By the time at which the case was opened. Default: `newest` first.'),
      cursor: cursorField(500),
      limit: limitField(200, 50),
    }),
  },
  answer:
    '{ cases, nextCursor, searchableTo }: each case with the facts of its newest run; null on the last page',
  response: caseListSchema,
  handler: async ({ store, playbooks }, { query }) => {
    const { degraded, ...rest } = query;
    const caseQuery: CaseQuery = degraded === undefined ? rest : { ...rest, degraded: degraded === 'true' };
    const { items, ...page } = await store.record.listCases(caseQuery);
    return { cases: items.map((item) => caseSummaryEntry(item, playbooks)), ...page };
  },
});

/** Returns a case of the record. @throws CasefileError `unknown_case`. */
export async function readCase(
  record: Pick<ConsolePorts['store']['record'], 'getCase'>,
  caseId: string,
): Promise<CaseDocument> {
  const caseDocument = z.guid().safeParse(caseId).success ? await record.getCase(caseId) : null;
  if (caseDocument === null) throw new CasefileError('unknown_case', `no case has the id "${caseId}"`);
  return caseDocument;
}

const getCase = route({
  method: 'get',
  path: '/cases/{caseId}',
  operationId: 'getCase',
  right: 'viewer',
  tag: 'cases',
  summary: 'One case with its whole record',
  input: { params: z.object({ caseId: z.string().max(100) }) },
  answer: 'alerts; runs with verdict, artifacts, evidence, gaps, toolCalls, interactions, trace and cost',
  response: shownCaseSchema,
  handler: async ({ store, playbooks }, { params }) =>
    shownCase(await readCase(store.record, params.caseId), playbooks),
});

/** The cases, and the acts of operators on a case. */
export const caseRoutes = [
  listCases,
  getCase,
  route({
    method: 'get',
    path: '/cases/{caseId}/alerts/{alertId}/image',
    operationId: 'getAlertImage',
    right: 'reviewer',
    tag: 'cases',
    summary: 'The image of an alert',
    input: {
      params: z.object({ caseId: z.string().max(100), alertId: z.string().max(100) }),
    },
    answer: 'The image as it was received',
    response: 'image/*',
    handler: async ({ store }, { params: { caseId, alertId } }, { response }) => {
      const image = await store.record.alertImage(caseId, alertId);
      if (image === null)
        throw new CasefileError('not_found', 'no alert of this case with this id has an image');
      const isKnown = (IMAGE_TYPES as readonly string[]).includes(image.mediaType);
      response.setHeader('Content-Type', isKnown ? image.mediaType : 'application/octet-stream');
      response.setHeader('Content-Security-Policy', NOTHING_BUT_AN_IMAGE);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      // The content of this URL never changes.
      response.setHeader('Cache-Control', 'private, max-age=3600, immutable');
      response.end(Buffer.from(image.base64, 'base64'));
    },
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/signals/{name}',
    operationId: 'giveSignal',
    right: 'reviewer',
    tag: 'cases',
    summary: 'Answer the question that a run of the case waits for: { "option": "..." }',
    input: {
      params: z.object({ caseId: z.string().max(100), name: z.string().max(100) }),
      body: giveSignalSchema,
    },
    problems: [404, 409],
    answer: '{ runId, signal, repeated }: the question with the chosen option; the run continues',
    response: givenSignalSchema,
    handler: async ({ store, queue }, { params, body }) => {
      const { nudges, ...signal } = await store.signals.give({
        ...params,
        option: body.option,
        by: body.by ?? 'console',
      });
      await queue.nudge(nudges);
      return signal;
    },
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/budget',
    operationId: 'raiseBudget',
    right: 'operator',
    tag: 'cases',
    summary: 'Raise the budget that a run of the case waits for: { "usd": 0.5 } or { "tokens": 5000 }',
    input: {
      params: z.object({ caseId: z.string().max(100) }),
      body: raiseBudgetSchema,
    },
    problems: [404, 409],
    answer:
      '{ runId, key, window, limit, spent }: the run continues where it stopped and repeats no paid call',
    response: raisedBudgetSchema,
    handler: async ({ store, queue }, { params: { caseId }, body: { usd, tokens = 0, by = 'console' } }) => {
      const increase =
        usd === undefined
          ? ({ measure: 'tokens', amount: tokens } as const)
          : ({ measure: 'usd', amount: Math.ceil(usd * MICROS) } as const);
      const { runId, budget, nudges } = await store.budgets.raise({ caseId, by, ...increase });
      await queue.nudge(nudges);
      const { key, window, limit, spent } = budget;
      return { runId, key, window, limit, spent };
    },
  }),
];

/** Cases and events under the names that clients of case-history systems use. */
export const historyRoutes = [
  {
    ...listCases,
    path: '/history/sessions' as const,
    operationId: 'listSessions',
    summary: 'The same as /cases, under the name that clients of such systems use',
    answer: 'The response of /cases',
  },
  {
    ...getCase,
    path: '/history/sessions/{caseId}' as const,
    operationId: 'getSession',
    summary: 'The same as /cases/{caseId}, under the name that clients of such systems use',
    answer: 'The response of /cases/{caseId}',
  },
  route({
    method: 'get',
    path: '/events',
    operationId: 'streamEvents',
    right: 'viewer',
    tag: 'cases',
    summary: 'Stream of events (also over the WebSocket /ws?lastEventId=)',
    input: {
      query: z.strictObject({
        lastEventId: z.string().max(200).optional().describe('Id of the last event that was received.'),
      }),
    },
    answer:
      'Server-sent events { id, type, caseId, runId, data, at }. With Last-Event-ID, the stream begins after that event; with lastEventId=0, with the first event.',
    response: 'text/event-stream',
    handler: async ({ feed }, { query }, exchange) => {
      const header = exchange.request.get('last-event-id');
      await serveEventStream(feed, header || query.lastEventId, exchange);
    },
  }),
];
