import { z, type AnswerField } from '@casefile/contracts';
import type { ConsolePorts } from './console-ports.js';

/**
 * Returns the fields that a reviewer's answer may set, with the values of each field. The list is empty if
 * the kind declares none.
 */
export function answerFields(
  judged: ConsolePorts['playbooks'][number]['presenting']['judged'],
): AnswerField[] {
  return Object.entries(judged?.shape ?? {}).map(([field, schema]) => ({
    field,
    values: schemaValues(schema),
  }));
}

function schemaValues(schema: unknown): AnswerField['values'] {
  if (schema instanceof z.ZodBoolean) return [true, false];
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
