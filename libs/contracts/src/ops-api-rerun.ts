import { z } from 'zod';
import { readByAll, reasoning, withheldSchema } from './access/field-class.js';
import { jsonSchema } from './json.js';

/** Changes to the settings for another run of a case. */
export const settingsChangeSchema = z.strictObject({
  strategy: z.string().max(100).optional(),
  provider: z.string().max(64).optional().describe('A name of the provider table; `none`: rules alone.'),
  model: z.string().max(200).optional(),
  prompts: z
    .record(z.string().max(100), z.union([z.int().min(1), z.string().max(200)]))
    .optional()
    .describe(
      'Versions of prompts by name, such as `{ "KIND/answer": 3 }`, in any state. Or prompt ids of this installation, by purpose.',
    ),
  options: z
    .record(z.string().max(100), readByAll(jsonSchema, 'Limits of the configuration.'))
    .optional()
    .describe('Thresholds and other options of the kind.'),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

export const EVIDENCE_SOURCES = ['recorded', 'fresh'] as const;

/** `POST /cases/{caseId}/runs`. */
export const openRunSchema = z.strictObject({
  lane: z
    .enum(['replay', 'batch'])
    .describe(
      '`replay`: reads the record alone and calls no model. `batch`: asks models for answers that are not on the record. Neither verdict is delivered.',
    ),
  evidence: z
    .enum(EVIDENCE_SOURCES)
    .optional()
    .describe('Results of tools: from the record (the default), or from new calls in the lane batch.'),
  run: z.string().max(100).optional().describe('The run to repeat. Default: the one that the case shows.'),
  settings: settingsChangeSchema.optional(),
});
export type OpenRunAsk = z.infer<typeof openRunSchema>;

/** Response of `POST /cases/{caseId}/runs`. */
export const openedRunSchema = z.object({
  runId: z.string(),
  baseRunId: z.string().describe('The run to repeat.'),
});
export type OpenedRun = z.infer<typeof openedRunSchema>;

/** Differences that consist of facts of verdicts. */
const VERDICT_FACTS = { field: 'what', is: ['disposition', 'confidence', 'method', 'outcome.action'] };

/** One difference between two runs. */
export const runDifferenceSchema = z.object({
  what: z.string().describe('Such as `disposition`, `outcome.action`, `tool path`, `requests`, `cost`.'),
  a: reasoning(z.string(), { unless: VERDICT_FACTS }),
  b: reasoning(z.string(), { unless: VERDICT_FACTS }),
  counts: z.boolean().describe('false: two runs that differ only in this count as the same.'),
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;

/** The first request or result in which two runs differ. */
export const divergenceSchema = z.object({
  stage: z.string(),
  round: z.int(),
  unit: z.string(),
  step: z.int(),
  what: z.enum(['request', 'tool call', 'tool result']),
  path: z.string().describe('Path of the difference; empty: only one of the two runs has this entry.'),
  a: reasoning(z.string()),
  b: reasoning(z.string()),
});
export type Divergence = z.infer<typeof divergenceSchema>;

/** `GET /runs/{a}/diff/{b}`. */
export const runDiffSchema = z.object({
  withheld: withheldSchema,
  a: z.string(),
  b: z.string(),
  same: z
    .boolean()
    .describe('In outcome, disposition, confidence, citations, method, tool path and requests.'),
  flipped: z.boolean().describe('Whether the disposition or action differs.'),
  differences: z.array(runDifferenceSchema),
  firstDivergence: divergenceSchema.nullable(),
});
export type RunDiff = z.infer<typeof runDiffSchema>;
