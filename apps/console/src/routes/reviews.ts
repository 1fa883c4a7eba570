import {
  acknowledgeReviewSchema,
  answerReviewSchema,
  asksForAnswer,
  assignReviewSchema,
  commentReviewSchema,
  openReviewSchema,
  recordedVerdict,
  REVIEW_REASONS,
  REVIEW_STATES,
  reviewListSchema,
  shownReviewSchema,
  skipReviewSchema,
  snoozeReviewSchema,
  personal,
  timeSchema,
  undoReviewSchema,
  z,
  type NewReviewAct,
  type ListedReview,
  type ReviewDetail,
  type ReviewItem,
  type ShownReview,
  type Verdict,
  cursorField,
  limitField,
  kindField,
} from '@casefile/contracts';
import { actFields, answerAct, noCase, kindPresenting, recordAnswer } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

const params = z.object({ id: z.string().max(100).describe('Id of the case.') });
const problems: (403 | 404 | 409 | 429)[] = [403, 404, 409, 429];
const ACT_ANSWER = 'The review after the act';

function shownItem(ports: Pick<ConsolePorts, 'playbooks'>, item: ReviewItem, verdict: Verdict): ListedReview {
  const presenting = kindPresenting(ports, item.playbook);
  const { confidence, method, degraded } = verdict;
  const { caseId, runId, playbook, text, alertCount, since, state, assignee, snoozedUntil } = item;
  const place = { caseId, runId, playbook, text, alertCount, since, state, assignee, snoozedUntil };
  return {
    id: caseId,
    ...place,
    word: presenting?.word(verdict) ?? verdict.disposition,
    headline: (verdict.reasons[0] ?? '').slice(0, 500),
    confidence,
    confidenceApplies: (presenting?.unproven?.(verdict) ?? null) === null,
    method,
    degraded,
    asks: asksForAnswer(recordedVerdict(item.verdict)) && presenting?.judged !== undefined,
  };
}

function shownDetail(ports: Pick<ConsolePorts, 'playbooks'>, detail: ReviewDetail): ShownReview {
  const verdict = recordedVerdict(detail.standing);
  const { answers, history, correction, viewers } = detail;
  return { ...shownItem(ports, detail, verdict), answers, history, correction, viewers, verdict };
}

/** Returns a case of the desk. @throws CasefileError `unknown_case`. */
export async function readReview(
  ports: Pick<ConsolePorts, 'store' | 'now'>,
  id: string,
): Promise<ReviewDetail> {
  const review = await ports.store.reviews.get(id, ports.now());
  if (review === null) throw noCase(id);
  return review;
}

async function reviewAfterAct(ports: ConsolePorts, act: NewReviewAct): Promise<ShownReview> {
  await recordAnswer(ports.store.reviews, act);
  return shownDetail(ports, await readReview(ports, act.caseId));
}

/** The review desk: verdicts that wait for a person, and the acts of people on them. */
export const reviewRoutes = [
  route({
    method: 'get',
    path: '/reviews',
    operationId: 'listReviews',
    right: 'viewer',
    tag: 'reviews',
    summary: 'Verdicts that wait for a person, or that a person settled',
    input: {
      query: z.strictObject({
        state: z.enum(REVIEW_STATES).default('open').describe('State of the review.'),
        playbook: kindField(),
        assignee: z.string().max(200).optional().describe('Who took the review.'),
        reason: z
          .enum(REVIEW_REASONS)
          .optional()
          .describe('`degraded`: something failed; `rules`: no model judged; `unsure`: neither.'),
        confidenceBelow: z.coerce
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe('Only verdicts with a lower confidence.'),
        from: timeSchema.optional().describe('Decided from this time on.'),
        to: timeSchema
          .optional()
          .describe('Decided at or before this time. A date includes its whole day, in UTC.'),
        q: personal(z.string().max(500)).optional().describe('Words of the alert, or a value that it names.'),
        sort: z.enum(['oldest', 'newest']).default('oldest').describe('Which reviews come first.'),
        cursor: cursorField(500),
        limit: limitField(200, 50),
      }),
    },
    answer: '{ reviews, nextCursor, searchableTo, waiting }: the oldest verdict first; null on the last page',
    response: reviewListSchema,
    handler: async (ports, { query }) => {
      const now = ports.now();
      const [{ reviews, ...page }, waiting] = await Promise.all([
        ports.store.reviews.list({ ...query, now }),
        ports.store.reviews.waiting(now, ports.answerWithinHours),
      ]);
      const entries = reviews.map((item) => shownItem(ports, item, recordedVerdict(item.verdict)));
      return { reviews: entries, ...page, waiting };
    },
  }),
  route({
    method: 'get',
    path: '/reviews/{id}',
    operationId: 'getReview',
    right: 'viewer',
    tag: 'reviews',
    summary: 'One case on the review desk: its standing verdict, answers and history',
    input: { params },
    answer: 'The review with `answers`, `history`, `verdict`, `correction` and `viewers`',
    response: shownReviewSchema,
    handler: async (ports, { params: { id } }) => shownDetail(ports, await readReview(ports, id)),
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/answer',
    operationId: 'answerReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Agree with a verdict, or correct it',
    input: { params, body: answerReviewSchema },
    problems,
    answer: `${ACT_ANSWER}. A corrected verdict leaves after \`reviews.sendAfterSeconds\`. 409 \`needs_an_answer\`: the verdict asks for an answer, and \`agree\` gives none. 409 \`contradicts_record\`: the answer contradicts the record of the run, and \`override\` is not set`,
    response: shownReviewSchema,
    handler: async (ports, { params: { id }, body }) => {
      const { playbook, runId, verdict } = await readReview(ports, id);
      const about = { caseId: id, playbook, runId: body.runId ?? runId, verdict: recordedVerdict(verdict) };
      return reviewAfterAct(ports, answerAct(ports, about, body));
    },
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/acknowledge',
    operationId: 'acknowledgeReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Note that a person saw the verdict, without an answer',
    input: { params, body: acknowledgeReviewSchema },
    problems,
    answer: ACT_ANSWER,
    response: shownReviewSchema,
    handler: (ports, { params: { id }, body }) =>
      reviewAfterAct(ports, { ...actFields(ports, body), ...runField(body), act: 'acknowledge', caseId: id }),
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/skip',
    operationId: 'skipReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Take a verdict off the desk without an answer, and say why',
    input: { params, body: skipReviewSchema },
    problems,
    answer: ACT_ANSWER,
    response: shownReviewSchema,
    handler: (ports, { params: { id }, body }) => {
      const fields = actFields(ports, { ...body, note: body.reason });
      return reviewAfterAct(ports, { ...fields, ...runField(body), act: 'skip', caseId: id });
    },
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/assign',
    operationId: 'assignReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Assign a verdict to a person',
    input: { params, body: assignReviewSchema },
    problems,
    answer: ACT_ANSWER,
    response: shownReviewSchema,
    handler: (ports, { params: { id }, body }) =>
      reviewAfterAct(ports, { ...actFields(ports, body), assignee: body.to, act: 'assign', caseId: id }),
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/snooze',
    operationId: 'snoozeReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Take a verdict off the desk until a time',
    input: { params, body: snoozeReviewSchema },
    problems,
    answer: ACT_ANSWER,
    response: shownReviewSchema,
    handler: (ports, { params: { id }, body }) =>
      reviewAfterAct(ports, { ...actFields(ports, body), until: body.until, act: 'snooze', caseId: id }),
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/comment',
    operationId: 'commentReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Add a comment for other reviewers',
    input: { params, body: commentReviewSchema },
    problems,
    answer: ACT_ANSWER,
    response: shownReviewSchema,
    handler: (ports, { params: { id }, body }) =>
      reviewAfterAct(ports, { ...actFields(ports, body), act: 'comment', caseId: id }),
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/undo',
    operationId: 'undoReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: "Take back a person's newest act, or the one that `undoes` names",
    input: { params, body: undoReviewSchema },
    problems,
    answer: `${ACT_ANSWER}. A correction that has left already is replaced by the verdict that stands now`,
    response: shownReviewSchema,
    handler: (ports, { params: { id }, body }) => {
      const { undoes } = body;
      const act = { ...actFields(ports, body), act: 'undo' as const, caseId: id };
      return reviewAfterAct(ports, undoes === undefined ? act : { ...act, undoes });
    },
  }),
  route({
    method: 'post',
    path: '/reviews/{id}/open',
    operationId: 'openReview',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Show others that a person has the case open. It is no lock; repeat it every 30 s',
    input: { params, body: openReviewSchema },
    isReading: true,
    problems,
    answer: 'The review',
    response: shownReviewSchema,
    handler: async (ports, { params: { id }, body }) => {
      await ports.store.reviews.view(id, body.by, ports.now());
      return shownDetail(ports, await readReview(ports, id));
    },
  }),
];

function runField({ runId }: { runId?: string | undefined }): { runId?: string } {
  return runId === undefined ? {} : { runId };
}
