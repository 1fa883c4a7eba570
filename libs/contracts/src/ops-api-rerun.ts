import { z } from 'zod';
import { jsonSchema } from './json.js';

/** Changes to the settings for another run of a case. */
export const settingsChangeSchema = z.strictObject({
  strategy: z.string().max(100).optional(),
  provider: z.string().max(64).optional().describe('A name of the provider table; `none`: rules alone.'),
  model: z.string().max(200).optional(),
  prompts: z
    .record(z.string().max(100), z.string().max(200))
    .optional()
    .describe('By what each is for: ids of prompts, as this installation has them.'),
  options: z
    .record(z.string().max(100), jsonSchema)
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
      '`replay`: reads the record alone, and asks nobody. `batch`: asks models for what is not on the record. Neither goes out.',
    ),
  evidence: z
    .enum(EVIDENCE_SOURCES)
    .optional()
    .describe('What tools found: as it is on the record (the default), or asked again, in the lane batch.'),
  run: z
    .string()
    .max(100)
    .optional()
    .describe('The run that is made again; left out: the one that the case shows.'),
  settings: settingsChangeSchema.optional(),
});
export type OpenRunAsk = z.infer<typeof openRunSchema>;

/** Response of `POST /cases/{caseId}/runs`. */
export const openedRunSchema = z.object({
  runId: z.string(),
  baseRunId: z.string().describe('The run that is made again.'),
});
export type OpenedRun = z.infer<typeof openedRunSchema>;

/** One difference between two runs. */
export const runDifferenceSchema = z.object({
  what: z.string().describe('Such as `disposition`, `outcome.action`, `tool path`, `requests`, `cost`.'),
  a: z.string(),
  b: z.string(),
  counts: z.boolean().describe('false: two runs that differ in it alone are the same.'),
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;

/** The first request or result in which two runs differ. */
export const divergenceSchema = z.object({
  stage: z.string(),
  round: z.int(),
  unit: z.string(),
  step: z.int(),
  what: z.enum(['request', 'tool call', 'tool result']),
  path: z.string().describe('Where in it; empty: one of the two has it alone.'),
  a: z.string(),
  b: z.string(),
});
export type Divergence = z.infer<typeof divergenceSchema>;

/** `GET /runs/{a}/diff/{b}`. */
export const runDiffSchema = z.object({
  a: z.string(),
  b: z.string(),
  same: z
    .boolean()
    .describe('In outcome, disposition, confidence, citations, method, tool path and requests.'),
  flipped: z.boolean().describe('Is another thing to be done: another disposition, or action?'),
  differences: z.array(runDifferenceSchema),
  firstDivergence: divergenceSchema.nullable(),
});
export type RunDiff = z.infer<typeof runDiffSchema>;
