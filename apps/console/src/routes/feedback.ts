import {
  CasefileError,
  feedbackListSchema,
  feedbackSchema,
  giveFeedbackSchema,
  z,
  cursorField,
  limitField,
} from '@casefile/contracts';
import type { Feedback } from '@casefile/contracts';
import { actFields, answerAct, noCase, recordAnswer } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

/** Returns the label of a person on a run; null: there is none. */
async function findLabel(
  { store }: Pick<ConsolePorts, 'store'>,
  caseId: string,
  matches: (label: Feedback) => boolean,
): Promise<Feedback | null> {
  const page = await store.feedback.find({ caseId, limit: 100 });
  return page?.feedback.find(matches) ?? null;
}

/** Undoes every answer of a person on a run. @returns whether there was one. */
async function takeBackAnswers(ports: ConsolePorts, { caseId, runId, by }: Feedback): Promise<boolean> {
  for (let i = 0; ; i += 1) {
    const review = await ports.store.reviews.get(caseId, ports.now());
    const answer = review?.answers.find((one) => one.by === by && one.runId === runId);
    if (answer === undefined) return i > 0;
    await ports.store.reviews.act({
      ...actFields(ports, { by }),
      act: 'undo',
      caseId,
      undoes: answer.actId,
    });
  }
}

/** Feedback of users on the verdict of a case. It is the same act as an answer on the review desk. */
export const feedbackRoutes = [
  // Records a user's label for the verdict that a case shows. It replaces this user's earlier label for the
  // same run.
  // @throws CasefileError `unknown_case`, `conflict`, `needs_an_answer`, `too_many`; InvalidInput.
  route({
    method: 'post',
    path: '/cases/{caseId}/feedback',
    operationId: 'giveFeedback',
    right: { role: 'reviewer', scope: 'feedback' },
    tag: 'cases',
    summary: 'Give feedback on a verdict: the correct outcome, or that the verdict is right',
    input: {
      params: z.object({ caseId: z.string().max(100) }),
      body: giveFeedbackSchema,
    },
    problems: [404, 409, 429],
    answer:
      'The label. It replaces an earlier label of the same `by` for the same run. 409 `needs_an_answer`: the verdict asks for an answer, and `agree` gives none. A correction leaves as a corrected verdict',
    status: 201,
    response: feedbackSchema,
    handler: async (ports, { params, body }) => {
      const { store } = ports;
      const caseDocument = z.guid().safeParse(params.caseId).success
        ? await store.record.getCase(params.caseId)
        : null;
      if (caseDocument === null) throw noCase(params.caseId);
      const run = caseDocument.runs.find(({ id }) => id === caseDocument.leadingRunId);
      const verdict = run?.verdict ?? null;
      if (run === undefined || verdict === null)
        throw new CasefileError('conflict', 'the case has no verdict to give feedback on');
      const { by, note = null, at: foundAt, outcome, actId, override } = body;
      const about = { caseId: caseDocument.id, playbook: caseDocument.playbook, runId: run.id, verdict };
      const answer = { outcome, by, note: note ?? undefined, foundAt, actId, override };
      const act = answerAct(ports, about, answer);
      const { repeated } = await recordAnswer(store.reviews, act);
      const existingLabel = repeated
        ? await findLabel(ports, caseDocument.id, (label) => label.by === by && label.runId === run.id)
        : null;
      if (existingLabel !== null) return existingLabel;
      const agrees = act.act === 'agree';
      const at = foundAt ?? new Date(act.now).toISOString();
      const label = { id: act.ids.label, caseId: caseDocument.id, runId: run.id };
      return { ...label, agrees, outcome: act.outcome ?? {}, by, note, at };
    },
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/feedback/{feedbackId}/withdraw',
    operationId: 'withdrawFeedback',
    right: { role: 'reviewer', scope: 'feedback' },
    tag: 'cases',
    summary: 'Withdraw a label; the event log keeps it',
    input: {
      params: z.object({ caseId: z.string().max(100), feedbackId: z.string().max(100) }),
    },
    answer: 'The withdrawn label',
    response: feedbackSchema,
    handler: async (ports, { params: { caseId, feedbackId } }) => {
      const { store } = ports;
      const label = await findLabel(ports, caseId, ({ id }) => id === feedbackId);
      if (label !== null && (await takeBackAnswers(ports, label))) return label;
      // Handles a label of an earlier release or on an earlier verdict.
      const withdrawn = await store.feedback.withdraw(caseId, feedbackId);
      if (withdrawn === null) throw new CasefileError('not_found', 'the case has no label with this id');
      return withdrawn;
    },
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}/feedback',
    operationId: 'listFeedback',
    right: 'reviewer',
    tag: 'cases',
    summary: 'Feedback on the verdict of a case',
    input: {
      params: z.object({ caseId: z.string().max(100) }),
      query: z.strictObject({
        cursor: cursorField(500),
        limit: limitField(100, 50),
      }),
    },
    answer: '{ feedback, nextCursor }, the newest first',
    response: feedbackListSchema,
    handler: async ({ store }, { params: { caseId }, query: { cursor, limit } }) => {
      const page = await store.feedback.find({ caseId, limit, ...(cursor === undefined ? {} : { cursor }) });
      if (page === null) throw noCase(caseId);
      return page;
    },
  }),
];
