import { join } from 'node:path';
import { z, type JsonObject } from '@casefile/contracts';
import { isUnseen, readLines, wilson95, type DatasetKind } from '@casefile/kit';
import type { CompiledKind } from './compile-kind.js';

/** Returns the labelled set of a kind, measured by its action; null: it has none. */
export function yamlEvaluation(
  { name, folder, evaluation, input }: CompiledKind,
  actions: readonly string[],
): DatasetKind | null {
  if (evaluation === undefined) return null;
  const labelledSchema = z.strictObject({ id: z.string(), payload: input, expected: z.enum(actions) });
  const resultSchema = z.object({
    key: z.string(),
    id: z.string(),
    expected: z.string(),
    /** null: the run ended without a verdict. */
    action: z.string().nullable(),
  });
  const kind: DatasetKind<z.infer<typeof resultSchema>> = {
    playbook: name,
    items: 'payloads',
    format: 'JSONL with id, payload and expected',
    sets: [{ name: 'seen', about: 'payloads that may be read', path: join(folder, evaluation) }],
    options: [],
    async read(path, options) {
      const items = await readLines(path, labelledSchema, options);
      return {
        items: items.map((item) => ({
          alert: { playbook: name, payload: item.payload },
          label: item as JsonObject,
          outcome: { action: item.expected },
          labelledResult: (key, { runs: [run] }) => ({
            key,
            id: item.id,
            expected: item.expected,
            action: z.string().safeParse(run?.verdict?.outcome['action']).data ?? null,
          }),
        })),
        schema: resultSchema,
        keepsResults: !isUnseen(path),
        prepare: async () => ({}),
        measure(results) {
          const right = results.filter(({ expected, action }) => expected === action).length;
          return {
            values: { payloads: results.length, right: wilson95(right, results.length) },
            lines: [`${right} of ${results.length} payloads: the action is as labelled`],
          };
        },
        marksOf: ({ expected, action, run: { confidence } }) => [
          { expected, answer: action, language: null, confidence },
        ],
        rates: () => ({}),
      };
    },
  };
  return kind as DatasetKind;
}
