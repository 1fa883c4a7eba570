import { z } from 'zod';
import { SERIES_GROUPS, SERIES_METRICS, SERIES_STEPS } from './ports/history.js';

const time = z.iso.datetime({ offset: true });

/** Query of `GET /series`. */
export const seriesQuerySchema = z.strictObject({
  metric: z.enum(SERIES_METRICS).describe('What is counted or measured.'),
  from: time.optional().describe('Default: 24 hours before `to`.'),
  to: time.optional().describe('Default: now.'),
  step: z
    .enum(SERIES_STEPS)
    .optional()
    .describe('Default: minutes up to 6 hours, hours up to 14 days, then days. At most 3,000 steps.'),
  by: z
    .enum(SERIES_GROUPS)
    .optional()
    .describe(
      'Of verdicts `playbook`, `disposition`, `model`; of queues and failures `name`. Default: one series.',
    ),
});

/** `GET /series`. */
export const seriesSchema = z.object({
  metric: z.enum(SERIES_METRICS),
  unit: z.enum(['count', 'ms', 'usd', 'tokens']),
  step: z.enum(SERIES_STEPS),
  from: z.string().describe('Start of the first step.'),
  to: z.string(),
  series: z.array(
    z.object({
      group: z.string().nullable().describe('null: not grouped.'),
      points: z
        .array(z.object({ at: z.string().describe('Start of the step.'), value: z.number() }))
        .describe('Oldest first. Steps without data have no point.'),
    }),
  ),
  nextCursor: z.null().describe('Always null: the list is complete.'),
});
export type Series = z.infer<typeof seriesSchema>;
