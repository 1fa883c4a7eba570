import { z, type JsonObject } from '@casefile/contracts';
import { isUnseen, type DatasetKind } from './dataset.js';
import { wilson95 } from './figures.js';
import { readLines } from './read-lines.js';

/** Labelled payloads of a kind whose verdicts are compared by one field. */
interface FieldEvaluation {
  playbook: string;
  /** Field of the outcome, such as `action`. */
  field: string;
  /** Values of the field. */
  values: readonly string[];
  /** Schema of the payload. */
  payload: z.ZodType;
  sets: DatasetKind['sets'];
}

/**
 * Returns the evaluation of a kind by one field of its outcome. A labelled set has one JSON object per line, with `id`,
 * `payload` and `expected`, a value of the field.
 */
export function evaluationByField({ playbook, field, values, payload, sets }: FieldEvaluation): DatasetKind {
  const expected = z.enum(values);
  const labelledSchema = z.strictObject({ id: z.string(), payload, expected });
  /** `answer` null: the run ended without a verdict, or with another value. */
  const resultSchema = z.object({ key: z.string(), id: z.string(), expected, answer: expected.nullable() });
  const evaluation: DatasetKind<z.infer<typeof resultSchema>> = {
    playbook,
    items: 'payloads',
    format: 'JSONL with id, payload and expected',
    sets,
    options: [],
    async read(path, options) {
      const items = await readLines(path, labelledSchema, options);
      return {
        items: items.map((item) => ({
          alert: { playbook, payload: item.payload as JsonObject },
          label: item as JsonObject,
          outcome: { [field]: item.expected },
          labelledResult: (key, { runs: [run] }) => ({
            key,
            id: item.id,
            expected: item.expected,
            answer: expected.safeParse(run?.verdict?.outcome[field]).data ?? null,
          }),
        })),
        schema: resultSchema,
        keepsResults: !isUnseen(path),
        prepare: async () => ({}),
        measure(results) {
          const right = results.filter((one) => one.expected === one.answer).length;
          return {
            values: { payloads: results.length, right: wilson95(right, results.length) },
            lines: [`${right} of ${results.length} payloads: the ${field} is as labelled`],
          };
        },
        scoredAnswers: ({ expected: label, answer, run: { confidence } }) => [
          { expected: label, answer, language: null, confidence },
        ],
        rates: () => ({}),
      };
    },
  };
  return evaluation as DatasetKind;
}
