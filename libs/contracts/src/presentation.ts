import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';
import { shownDisplaySchema } from './display/display-schema.js';
import { runSettingsSchema } from './settings.js';

/** A value of a verdict, with the thresholds of the decision rule. */
export const scaleSchema = z.object({
  name: z.string(),
  value: z.number(),
  max: z.number().describe('The end of the scale; it begins at 0.'),
  bands: z
    .array(z.object({ from: z.number(), label: z.string() }))
    .describe('From `from` on the value is called `label`; empty where no bound decided.'),
  text: z.string().describe('How the value is written.'),
});
export type Scale = z.infer<typeof scaleSchema>;

/**
 * The steps of an answer, for a rule based on steps rather than a value, and the consequence of each step.
 */
export const ladderSchema = z.object({
  name: z.string(),
  steps: z.array(z.object({ label: z.string(), leadsTo: z.string(), isTaken: z.boolean() })),
});
export type Ladder = z.infer<typeof ladderSchema>;

/** A verdict as it is shown. The playbook supplies it, so that no view depends on a particular playbook. */
export const presentationSchema = z.object({
  word: z.string().describe('The verdict in the words of its reader, such as `declined`.'),
  answer: z
    .string()
    .describe('Answer of the reasoner, in a word or two. The answer and its confidence led to the verdict.'),
  confidenceApplies: z
    .boolean()
    .describe(
      'Whether the confidence is that of this verdict. false: of an unconfirmed answer that needs review.',
    ),
  headline: personal(z.string()).describe(
    'The decisive reason, in a sentence; the citations of the verdict support it.',
  ),
  summary: personal(z.string()).describe('Summary of the result, in a line; empty if `word` is enough.'),
  ladder: ladderSchema.nullable(),
  scales: z.array(scaleSchema),
  facts: personal(z.array(z.object({ label: z.string(), value: z.string() }))).describe(
    'Short fields of the outcome.',
  ),
  rule: z.string().describe('How the decision rule goes from the answer to the verdict.'),
  view: z
    .string()
    .nullable()
    .describe('The view of its own by which the kind is shown; null: the common one.'),
});
export type Presentation = z.infer<typeof presentationSchema>;

/** A field of a reviewer's answer. */
const answerFieldSchema = z.object({
  field: z.string(),
  values: z.array(z.union([z.string(), z.boolean()])).describe('Its values; empty: they are no short list.'),
});
export type AnswerField = z.infer<typeof answerFieldSchema>;

/** `GET /playbooks`. */
export const playbookListSchema = z.object({
  withheld: withheldSchema,
  playbooks: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      version: z.string(),
      takes: z
        .array(z.enum(['text', 'image', 'payload']))
        .describe('What an alert of this kind may consist of; one of them is enough.'),
      tools: z.array(z.string()),
      settings: runSettingsSchema
        .nullable()
        .optional()
        .describe('Settings of a new run, without what depends on its alert; null: not published yet.'),
      clarifies: z
        .boolean()
        .optional()
        .describe('Whether a run may ask for clarification before it starts if `payload.clarify` is true.'),
      rule: z.string().describe('How its decision rule goes from an answer to a verdict, in a sentence.'),
      answers: z
        .array(answerFieldSchema)
        .default([])
        .describe('Fields that `outcome` of feedback may set, with their values.'),
      display: shownDisplaySchema.describe(
        'How its cases are named, submitted and shown, as the kind declares it.',
      ),
      labels: z
        .record(z.string(), z.string())
        .describe('Short fields of its outcomes, with what each is called.'),
      view: z
        .string()
        .nullable()
        .describe('The view of its own by which a case is shown; null: the common one.'),
    }),
  ),
});
export type PlaybookList = z.infer<typeof playbookListSchema>;
