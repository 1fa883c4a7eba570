import { z } from 'zod';

/** Severities of conditions, the worst first. */
export const CONDITION_SEVERITIES = ['error', 'warning'] as const;

/** Ids of conditions, without the name at the end of some ids. */
export const CONDITION_IDS = [
  'store_out',
  'queue_out',
  'queue_evicts',
  'replica_behind',
  'service_absent',
  'versions_differ',
  'settings_differ',
  'models_differ',
  'knowledge_empty',
  'destination_paused',
  'destination_failing',
  'schedule_failing',
  'feed_failing',
  'step_back',
  'both_arms_fail',
  'flag_copy_stale',
  'queue_old',
  'dead_letters',
  'provider_out',
  'model_slow',
  'budget_used',
  'budget_nearly_used',
  'provider_unpriced',
  'disk_low',
  'reviews_overdue',
  'silence_withheld',
  'quality_low',
] as const;

/** Returns the id of a condition without the name at its end: `service_absent` of `service_absent.reasoner`. */
export function conditionFamily(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

/** A problem that exists now. */
export const conditionSchema = z.object({
  id: z.string().describe('Stable, for alert rules: `service_absent.reasoner`.'),
  severity: z.enum(CONDITION_SEVERITIES).describe('`error`: work stops or is judged wrongly.'),
  since: z.string().nullable().describe('null: since before the start of this record.'),
  text: z.string().describe('The problem, in one sentence.'),
  effect: z.string().describe('Effect on cases.'),
  act: z.string().describe('What to do.'),
  link: z.string().describe('The page of the console that shows more.'),
  asOf: z
    .string()
    .optional()
    .describe(
      'Time of the last reading, if the source cannot be read now. Absent: the condition is current.',
    ),
});
export type Condition = z.infer<typeof conditionSchema>;

/** `GET /conditions`. */
export const conditionListSchema = z.object({
  conditions: z
    .array(conditionSchema)
    .describe('Errors first. Of the same severity, those that can be read now first, then the oldest first.'),
});
export type ConditionList = z.infer<typeof conditionListSchema>;
