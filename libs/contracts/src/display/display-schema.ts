import { z } from 'zod';
import { JUDGED_PARTS } from './judged-parts.js';

/** Most sections of a kind, and most values of a title, a line, or a section. */
const MOST = 20;
const NAME = String.raw`[^\s.[\]{}]{1,100}`;
const PATH = new RegExp(
  String.raw`^(?:text|(?:payload|answer|outcome)(?:\.${NAME})+|evidence\.[A-Za-z0-9_-]{1,100}(?:\.${NAME})+)$`,
);
const PART = new RegExp(String.raw`^${NAME}(?:\.${NAME})*$`);

/**
 * Path of a value of a case: the text or the payload of its alert, the result of a look-up, the answer of the model or
 * the rules, or the outcome of the verdict.
 */
const pathSchema = z
  .string({ error: 'expected a path' })
  .max(500)
  .regex(
    PATH,
    'expected text, payload.FIELD, answer.FIELD, outcome.FIELD or evidence.TOOL.FIELD; names are joined by dots',
  );
/** Path within one item of a list. */
const partSchema = z
  .string({ error: 'expected a field' })
  .max(500)
  .regex(PART, 'expected a field of an item, such as name or address.city');

const label = z.string({ error: 'expected a text' }).min(1, 'expected a text').max(100);
const labelled = <P extends z.ZodType<string>>(path: P) =>
  z.union([path, z.strictObject({ path, label })], {
    error: 'expected a path, or { path, label }',
  });
/** Values with labels. A path alone has the title of its field in the schema as label, or its name in words. */
const values = z.array(labelled(pathSchema)).min(1, 'expected at least one').max(MOST);
const parts = z.array(labelled(partSchema)).min(1, 'expected at least one').max(MOST);
const paths = z
  .union([pathSchema.transform((path) => [path]), z.array(pathSchema).min(1).max(MOST)], {
    error: 'expected a path, or a list of paths',
  })
  .describe('Paths of values.');

const section = <S extends string, T extends z.ZodRawShape>(show: S, shape: T) =>
  z.strictObject({ show: z.literal(show), title: label, ...shape });

/** A section of the page of a case. A section without a value is not shown. */
export const sectionSchema = z.discriminatedUnion(
  'show',
  [
    section('text', { of: pathSchema }),
    section('facts', { of: values }),
    section('badges', { of: z.array(pathSchema).min(1).max(MOST) }),
    section('table', { of: pathSchema, columns: parts }),
    section('chart', { of: pathSchema, at: partSchema, values: parts }),
    section('timeline', {
      of: pathSchema,
      at: partSchema,
      text: partSchema,
      evidence: partSchema.optional(),
    }),
    section('quotes', { of: pathSchema, quote: partSchema, evidence: partSchema.optional() }),
    section('image', {}),
  ],
  { error: 'expected one of text, facts, badges, table, chart, timeline, quotes, image' },
);
export type DeclaredSection = z.infer<typeof sectionSchema>;

/** Parts of the page New case that the schema of the payload does not describe: the field for the text of the alert. */
const textInputSchema = z.strictObject({
  label,
  help: z.string().max(300).default(''),
  example: z.string().max(5_000).optional(),
});

const judgingSchema = z
  .array(z.enum(JUDGED_PARTS, { error: `expected one of ${JUDGED_PARTS.join(', ')}` }))
  .min(1, 'expected at least one')
  .refine((named) => new Set(named).size === named.length, 'expected each part once');

/** How a kind names a case and shows it, as the kind declares it in code (`presenting.display`) or YAML (`display`). */
export const displaySchema = z.strictObject({
  title: paths
    .optional()
    .describe(
      'The first of these values that there is. Default: the text, then the first text of the payload by its schema.',
    ),
  line: paths
    .optional()
    .describe('Values that name the case in lists, joined in their order. Default: the title.'),
  text: z
    .union([textInputSchema, z.literal(false)], { error: 'expected { label, help, example }, or false' })
    .optional()
    .describe('The field for the text of the alert on the page New case; false: it has none.'),
  sections: z.array(sectionSchema).max(MOST).optional(),
  judging: judgingSchema
    .optional()
    .describe(
      `What a reviewer judges, in this order. The review desk and the page of a case show these parts first. Default: ${JUDGED_PARTS.join(', ')}.`,
    ),
});
export type DeclaredDisplay = z.input<typeof displaySchema>;

const jsonValue = z.union([z.string(), z.number(), z.boolean()]);

/** A field of the payload in the form of the page New case. */
export const formFieldSchema = z.object({
  path: z.array(z.string()).describe('Names of the field, from the payload on.'),
  label: z.string(),
  help: z.string(),
  input: z
    .enum(['text', 'lines', 'number', 'switch', 'choice', 'list', 'json'])
    .describe('`lines`: a text of several lines. `list`: texts, one in each line. `json`: any other value.'),
  isRequired: z.boolean(),
  choices: z.array(jsonValue).describe('Values of a choice.'),
  min: z.number().nullable(),
  max: z.number().nullable(),
  isWhole: z.boolean().describe('Whether a number has no fraction.'),
  example: z.string().nullable().describe('An example as it is typed; null: the schema has none.'),
});
export type FormField = z.infer<typeof formFieldSchema>;

/** How a kind names a case, takes it and shows it, with all defaults. */
export const shownDisplaySchema = z.object({
  title: z.array(z.string()).describe('Paths; the first one that has a value names the case.'),
  line: z
    .array(z.string())
    .nullable()
    .describe('Paths whose values name the case in lists, joined; null: the title does.'),
  sections: z.array(sectionSchema).describe('Sections of the page of a case, with the label of each value.'),
  judging: judgingSchema.describe('What a reviewer judges, in this order.'),
  text: textInputSchema.nullable().describe('The field for the text of the alert; null: it has none.'),
  form: z.array(formFieldSchema).describe('Fields of the payload; empty: the kind declares no schema.'),
  labels: z
    .record(z.string(), z.string())
    .describe('Labels of the fields of the payload, by their path from the payload on.'),
  isOpen: z.boolean().describe('Whether the payload may have other fields.'),
});
export type ShownDisplay = z.infer<typeof shownDisplaySchema>;
