import {
  agreesWith,
  asksForAnswer,
  CasefileError,
  fieldProblems,
  giveFeedbackSchema,
  InvalidInput,
  z,
  type AnswerField,
  type Feedback,
  type JsonObject,
} from '@casefile/contracts';
import { answerFields } from '../answer-fields.js';
import type { ConsolePorts } from '../console-ports.js';
import type { Handler } from '../http/route.js';

export const giveFeedbackInput = {
  params: z.object({ caseId: z.string().max(100) }),
  body: giveFeedbackSchema,
};

/**
 * Records a person's label for the verdict that a case shows, in place of this person's earlier label for the same run.
 * @throws CasefileError `unknown_case`, `conflict`, `answer_required`, `too_many`; InvalidInput.
 */
export const giveFeedback: Handler<typeof giveFeedbackInput, Feedback> = async (ports, { params, body }) => {
  const { store, playbooks, now, newId } = ports;
  const found = z.guid().safeParse(params.caseId).success ? await store.record.getCase(params.caseId) : null;
  if (found === null) throw new CasefileError('unknown_case', `no case has the id "${params.caseId}"`);
  const run = found.runs.find(({ id }) => id === found.leadingRunId);
  const verdict = run?.verdict ?? null;
  if (run === undefined || verdict === null)
    throw new CasefileError('conflict', 'the case has no verdict that anything could be said of');
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
};

type Judged = ConsolePorts['playbooks'][number]['presenting']['judged'];

function needsAnswer(judged: NonNullable<Judged>): CasefileError {
  const fields = answerFields(judged).map(({ field, values }) => `${field}${valuesInWords(values)}`);
  return new CasefileError(
    'answer_required',
    `The verdict asks for an answer, so there is nothing to agree with. Send outcome with one or more of: ${fields.join(', ')}.`,
  );
}

function valuesInWords(values: AnswerField['values']): string {
  if (values.length === 0) return '';
  return typeof values[0] === 'boolean' ? ' (true or false)' : ` (${values.join(', ')})`;
}

function decidingFields(outcome: JsonObject, judged: Judged): JsonObject {
  const names = Object.keys(judged?.shape ?? {});
  return Object.fromEntries(names.flatMap((name) => (name in outcome ? [[name, outcome[name]!]] : [])));
}

function checked(outcome: JsonObject, playbook: string, judged: Judged): JsonObject {
  if (judged === undefined || Object.keys(outcome).length === 0) {
    const message =
      judged === undefined ? `expected agree: nothing else can be said of ${playbook}` : 'expected a field';
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
