import {
  CasefileError,
  fieldProblems,
  InvalidInput,
  z,
  type AnswerField,
  type JsonObject,
} from '@casefile/contracts';
import { answerFields, type DecidingSchema } from './answer-fields.js';

/** Returns the error for an agreement with a verdict that asks for an answer. It names the fields to send. */
export function needsAnswer(schema: NonNullable<DecidingSchema>): CasefileError {
  const fields = answerFields(schema).map(({ field, values }) => `${field}${valuesInWords(values)}`);
  return new CasefileError(
    'needs_an_answer',
    `The verdict needs an answer, so agree is not accepted. Send outcome with one or more of: ${fields.join(', ')}.`,
  );
}

function valuesInWords(values: AnswerField['values']): string {
  if (values.length === 0) return '';
  return typeof values[0] === 'boolean' ? ' (true or false)' : ` (${values.join(', ')})`;
}

/** Returns the deciding fields of an outcome. */
export function decidingFields(outcome: JsonObject, schema: DecidingSchema): JsonObject {
  const names = Object.keys(schema?.shape ?? {});
  return Object.fromEntries(names.flatMap((name) => (name in outcome ? [[name, outcome[name]!]] : [])));
}

/** Returns an answer if each of its fields is valid for the kind. @throws InvalidInput that names each wrong field. */
export function checkedAnswer(outcome: JsonObject, playbook: string, schema: DecidingSchema): JsonObject {
  if (schema === undefined || Object.keys(outcome).length === 0) {
    const message =
      schema === undefined
        ? `expected agree: no other feedback is accepted for ${playbook}`
        : 'expected a field';
    throw new InvalidInput([{ path: 'outcome', message }], 'feedback');
  }
  const read = schema.partial().strict().safeParse(outcome);
  if (read.success) return read.data as JsonObject;
  const fieldNames = Object.keys(schema.shape).join(', ');
  const problems = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: `outcome.${key}`, message: `is not known: expected ${fieldNames}` }))
      : fieldProblems(new z.ZodError([issue])).map(({ path, message }) => ({
          path: `outcome.${path}`,
          message,
        })),
  );
  throw new InvalidInput(problems, 'feedback');
}
