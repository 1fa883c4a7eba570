import {
  agreesWith,
  asksForAnswer,
  CasefileError,
  feedbackListSchema,
  feedbackSchema,
  fieldProblems,
  giveFeedbackSchema,
  InvalidInput,
  z,
  type AnswerField,
  type JsonObject,
} from '@casefile/contracts';
import { answerFields } from '../answer-fields.js';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

type JudgedOutcome = ConsolePorts['playbooks'][number]['presenting']['judged'];

function needsAnswer(judged: NonNullable<JudgedOutcome>): CasefileError {
  const fields = answerFields(judged).map(({ field, values }) => `${field}${valuesInWords(values)}`);
  return new CasefileError(
    'answer_required',
    `The verdict needs an answer, so agree is not accepted. Send outcome with one or more of: ${fields.join(', ')}.`,
  );
}

function valuesInWords(values: AnswerField['values']): string {
  if (values.length === 0) return '';
  return typeof values[0] === 'boolean' ? ' (true or false)' : ` (${values.join(', ')})`;
}

function decidingFields(outcome: JsonObject, judged: JudgedOutcome): JsonObject {
  const names = Object.keys(judged?.shape ?? {});
  return Object.fromEntries(names.flatMap((name) => (name in outcome ? [[name, outcome[name]!]] : [])));
}

function checked(outcome: JsonObject, playbook: string, judged: JudgedOutcome): JsonObject {
  if (judged === undefined || Object.keys(outcome).length === 0) {
    const message =
      judged === undefined
        ? `expected agree: no other feedback is accepted for ${playbook}`
        : 'expected a field';
    throw new InvalidInput([{ path: 'outcome', message }], 'feedback');
  }
  const read = judged.partial().strict().safeParse(outcome);
  if (read.success) return read.data as JsonObject;
  const known = Object.keys(judged.shape).join(', ');
  const problems = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: `outcome.${key}`, message: `is not known: expected ${known}` }))
      : fieldProblems(new z.ZodError([issue])).map(({ path, message }) => ({
          path: `outcome.${path}`,
          message,
        })),
  );
  throw new InvalidInput(problems, 'feedback');
}

/** Feedback of users on the verdict of a case. */
export const feedbackRoutes = [
  // Records a user's label for the verdict that a case shows. It replaces this user's earlier label for the
  // same run.
  // @throws CasefileError `unknown_case`, `conflict`, `answer_required`, `too_many`; InvalidInput.
  route({
    method: 'post',
    path: '/cases/{caseId}/feedback',
    operationId: 'giveFeedback',
    tag: 'cases',
    summary: 'Give feedback on a verdict: the correct outcome, or that the verdict is right',
    input: {
      params: z.object({ caseId: z.string().max(100) }),
      body: giveFeedbackSchema,
    },
    problems: [404, 409, 429],
    answer:
      'The label. It replaces an earlier label of the same `by` for the same run. 409 `answer_required`: the verdict asks for an answer, and `agree` gives none',
    status: 201,
    response: feedbackSchema,
    handler: async (ports, { params, body }) => {
      const { store, playbooks, now, newId } = ports;
      const found = z.guid().safeParse(params.caseId).success
        ? await store.record.getCase(params.caseId)
        : null;
      if (found === null) throw new CasefileError('unknown_case', `no case has the id "${params.caseId}"`);
      const run = found.runs.find(({ id }) => id === found.leadingRunId);
      const verdict = run?.verdict ?? null;
      if (run === undefined || verdict === null)
        throw new CasefileError('conflict', 'the case has no verdict to give feedback on');
      const judged = playbooks.find(({ name }) => name === found.playbook)?.presenting.judged;
      const isAgreed = body.outcome === undefined;
      if (isAgreed && judged !== undefined && asksForAnswer(verdict)) throw needsAnswer(judged);
      const outcome = isAgreed
        ? decidingFields(verdict.outcome, judged)
        : checked(body.outcome!, found.playbook, judged);
      const { by, note = null, at = new Date(now()).toISOString() } = body;
      const agrees = isAgreed || agreesWith(verdict, outcome);
      const given = { id: newId(), caseId: found.id, runId: run.id, agrees, outcome, by, note, at };
      await store.feedback.give(given);
      return given;
    },
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/feedback/{feedbackId}/withdraw',
    operationId: 'withdrawFeedback',
    tag: 'cases',
    summary: 'Withdraw a label; the event log keeps it',
    input: {
      params: z.object({ caseId: z.string().max(100), feedbackId: z.string().max(100) }),
    },
    answer: 'The withdrawn label',
    response: feedbackSchema,
    handler: async ({ store }, { params: { caseId, feedbackId } }) => {
      const withdrawn = await store.feedback.withdraw(caseId, feedbackId);
      if (withdrawn === null) throw new CasefileError('not_found', 'the case has no label with this id');
      return withdrawn;
    },
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}/feedback',
    operationId: 'listFeedback',
    tag: 'cases',
    summary: 'Feedback on the verdict of a case',
    input: {
      params: z.object({ caseId: z.string().max(100) }),
      query: z.strictObject({
        cursor: z.string().max(500).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(50),
      }),
    },
    answer: '{ feedback, nextCursor }, the newest first',
    response: feedbackListSchema,
    handler: async ({ store }, { params: { caseId }, query: { cursor, limit } }) => {
      const found = await store.feedback.find({ caseId, limit, ...(cursor === undefined ? {} : { cursor }) });
      if (found === null) throw new CasefileError('unknown_case', `no case has the id "${caseId}"`);
      return found;
    },
  }),
];
