import { z, type AnswerField } from '@casefile/contracts';
import type { Presenting } from '@casefile/pipeline';

/** Schema of the deciding fields of a kind; undefined: the kind declares none. */
export type DecidingSchema = Presenting['judged'];

/**
 * Returns the fields that a reviewer's answer may set, with the values of each field. The list is empty if
 * the kind declares none.
 */
export function answerFields(schema: DecidingSchema): AnswerField[] {
  return Object.entries(schema?.shape ?? {}).map(([field, fieldSchema]) => ({
    field,
    values: schemaValues(fieldSchema),
  }));
}

function schemaValues(schema: unknown): AnswerField['values'] {
  if (schema instanceof z.ZodBoolean) return [true, false];
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
