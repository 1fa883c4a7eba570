import { z } from '@casefile/contracts';
import { readJsonPath } from './json-path.js';
import { readTextTemplate } from './text-template.js';

/** A path into a JSON value. */
export const path = z
  .string()
  .max(300)
  .refine((text) => readJsonPath(text) !== null, 'expected a path such as data.result[0].name, or $');
const paths = z.union([path, z.array(path).min(1).max(5)]);
const template = z
  .string()
  .max(1_000)
  .refine((text) => readTextTemplate(text) !== null, 'expected paths such as {metadata.name} between braces');

const timeField = z.strictObject({
  at: paths.describe('Paths to the time; the first that leads to a value is used.'),
  as: z.enum(['iso', 'seconds', 'milliseconds', 'nanoseconds']).default('iso'),
});

const unitField = z.union([
  template,
  z.strictObject({
    of: path.describe('Path to a name.'),
    endings: z
      .record(z.string().min(1).max(50), z.string().min(1).max(20))
      .describe('Unit by end of the name.'),
  }),
]);

/** Findings of a JSON answer: one line per row, or per point of a row. */
const rowsAnswer = z.strictObject({
  rows: path.describe('Path to a list, or to one object.'),
  points: z
    .strictObject({ path, most: z.int().min(2).max(500).default(60) })
    .optional()
    .describe('List within each row, such as the samples of a series. Its paths begin with `point`.'),
  time: timeField.optional(),
  subject: template.optional().describe('What the finding is about.'),
  value: paths.optional(),
  unit: unitField.optional(),
  text: template.optional(),
  newestFirst: z.boolean().default(false),
  notes: template.optional().describe('Warnings of the whole answer, such as that it is incomplete.'),
});

/** Pages that a search found. They are no findings: the page reader reads them. */
const pagesAnswer = z.strictObject({
  pages: path.describe('Path to the list of pages.'),
  url: path,
  title: path,
  text: path.describe('What the search shows of a page.'),
  published: path.optional(),
});

/** Findings of a text: one per line. */
const linesAnswer = z.strictObject({
  lines: z.enum(['first', 'last']).describe('Lines to keep of a long text.'),
});

/** The status of the answer, whatever it is, is the finding. */
const statusAnswer = z.strictObject({ status: z.literal(true) });

/** How an answer over HTTP becomes findings. */
export const answerSchema = z.union([rowsAnswer, linesAnswer, statusAnswer, pagesAnswer], {
  error: 'expected an answer with `rows`, `lines`, `status` or `pages`',
});

/** How records become findings. `recordsAnswerBytes` writes them in this form, so that files name neither list nor note. */
export const recordsAnswerSchema = rowsAnswer.extend({
  rows: z.literal('rows').default('rows'),
  notes: z.literal('{note}').default('{note}'),
});

/**
 * Returns records as the answer that `recordsAnswerSchema` describes.
 * @param records Each as JSON.
 * @param note What the records leave out; null: nothing.
 */
export function recordsAnswerBytes(records: readonly string[], note: string | null): Uint8Array {
  return Buffer.from(`{"rows":[${records.join(',')}],"note":${JSON.stringify(note)}}`);
}

export type AnswerSpec = z.infer<typeof answerSchema>;
export type RowsAnswer = z.infer<typeof rowsAnswer>;
export type PagesAnswer = z.infer<typeof pagesAnswer>;
