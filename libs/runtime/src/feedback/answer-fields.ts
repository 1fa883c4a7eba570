import {
  CONFIDENCE_SOURCES,
  DISPOSITIONS,
  METHODS,
  SEVERITIES,
  z,
  type AnswerField,
} from '@casefile/contracts';
import type { Playbook, Presenting } from '@casefile/pipeline';

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

/** Codes that outcomes of every kind may state. */
const COMMON_CODES = [...DISPOSITIONS, ...METHODS, ...CONFIDENCE_SOURCES, ...SEVERITIES];

/** Returns the texts in outcomes of these kinds that are codes, never words of an alert. */
export function outcomeCodes(kinds: readonly Pick<Playbook, 'presenting'>[]): ReadonlySet<string> {
  const own = kinds.flatMap(({ presenting: { judged, codes = [] } }) => [
    ...answerFields(judged).flatMap(({ values }) => values.map(String)),
    ...codes,
  ]);
  return new Set([...COMMON_CODES, ...own]);
}

function schemaValues(schema: unknown): AnswerField['values'] {
  if (schema instanceof z.ZodBoolean) return [true, false];
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
