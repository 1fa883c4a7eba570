import { z } from 'zod';

/** Severities of conditions, the worst first. */
export const CONDITION_SEVERITIES = ['error', 'warning'] as const;

/** A problem that exists now. */
export const conditionSchema = z.object({
  id: z.string().describe('Stable, for alert rules: `service_absent.reasoner`.'),
  severity: z.enum(CONDITION_SEVERITIES).describe('`error`: work stops or is judged wrongly.'),
  since: z.string().nullable().describe('null: since before the start of this record.'),
  text: z.string().describe('The problem, in one sentence.'),
  effect: z.string().describe('Effect on cases.'),
  act: z.string().describe('What to do.'),
  link: z.string().describe('The page of the console that shows more.'),
});
export type Condition = z.infer<typeof conditionSchema>;

/** `GET /conditions`. */
export const conditionListSchema = z.object({
  conditions: z.array(conditionSchema).describe('Errors first, of the same severity the oldest first.'),
});
export type ConditionList = z.infer<typeof conditionListSchema>;
