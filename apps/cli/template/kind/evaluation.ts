import { fileURLToPath } from 'node:url';
import { isUnseen, readLines, wilson95, z } from '@casefile/kit';
import type { DatasetKind, JsonObject } from '@casefile/kit';
import { ACTIONS } from './decide.ts';
import { inputSchema } from './input.ts';

const labelledSchema = z.strictObject({ id: z.string(), payload: inputSchema, expected: z.enum(ACTIONS) });
/** The result of one item. */
const resultSchema = z.object({
  key: z.string(),
  id: z.string(),
  expected: z.enum(ACTIONS),
  /** null: the run ended without a verdict. */
  action: z.enum(ACTIONS).nullable(),
});

/** Labelled payloads, one per line. */
export const evaluation: DatasetKind<z.infer<typeof resultSchema>> = {
  playbook: 'kind-name',
  items: 'payloads',
  format: 'JSONL with id, payload and expected',
  sets: [
    {
      name: 'seen',
      about: 'payloads that may be read',
      path: fileURLToPath(new URL('./samples/seen.jsonl', import.meta.url)),
    },
  ],
  options: [],
  async read(path, options) {
    const items = await readLines(path, labelledSchema, options);
    return {
      items: items.map((item) => ({
        alert: { playbook: 'kind-name', payload: item.payload },
        label: item as JsonObject,
        outcome: { action: item.expected },
        labelledResult: (key, { runs: [run] }) => ({
          key,
          id: item.id,
          expected: item.expected,
          action: z.enum(ACTIONS).safeParse(run?.verdict?.outcome['action']).data ?? null,
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
