import { z } from 'zod';

export const SPAN_KINDS = ['run', 'stage', 'wait', 'tool', 'model'] as const;
export const SPAN_STATES = ['running', 'ok', 'failed'] as const;

/** One piece of the time of a run. */
export const runSpanSchema = z.object({
  id: z.string().describe('Unique in the run; of a tool call and a model call, its id on the record.'),
  parentId: z.string().nullable().describe('The span that it is part of; null: the run itself.'),
  kind: z.enum(SPAN_KINDS),
  name: z
    .string()
    .describe(
      'The stage, tool or model. Of a wait its reason: `worker` until the first call of a stage, `signal` for an answer of a person, `parked`, or the reason code of a retry.',
    ),
  stage: z.string().nullable(),
  round: z.int().nullable(),
  unit: z.string().nullable(),
  start: z.string(),
  end: z.string().nullable().describe('null: not ended yet.'),
  workMs: z
    .number()
    .nullable()
    .describe(
      'Milliseconds at the end of the span in which a tool worked; null: the whole span, or unknown.',
    ),
  state: z.enum(SPAN_STATES),
  reasonCode: z.string().nullable().describe('Why it failed or waited.'),
  attempts: z.int().describe('1: the first attempt had a result.'),
  costUsd: z.number().nullable().describe('Known cost, with the spans inside; null: no price is known.'),
  inputTokens: z.int(),
  outputTokens: z.int(),
});
export type RunSpan = z.infer<typeof runSpanSchema>;

/** `GET /runs/{runId}/spans`. */
export const runSpansSchema = z.object({
  runId: z.string(),
  caseId: z.string(),
  spans: z.array(runSpanSchema).describe('The run first, then each span before the spans inside it.'),
  nextCursor: z.null().describe('Always null: the list is complete.'),
});
export type RunSpans = z.infer<typeof runSpansSchema>;
