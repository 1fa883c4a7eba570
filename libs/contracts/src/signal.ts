import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';

/** Maximum number of options, and maximum length of a text in characters. */
const MOST_OPTIONS = 10;
const LONGEST = 500;

/**
 * A question that a stage asks people while its unit waits, with the fallback if there is no answer in time.
 */
export const askedSignalSchema = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .describe('Name of the signal that answers it.'),
  question: personal(z.string().max(LONGEST)),
  options: z
    .array(z.object({ value: z.string().min(1).max(100), label: personal(z.string().max(LONGEST)) }))
    .min(1)
    .max(MOST_OPTIONS),
  fallback: z.string().describe('The option that the run continues with if no answer arrives in time.'),
});
export type AskedSignal = z.infer<typeof askedSignalSchema>;

/** A question to people on the record, with the answer if there is one. */
export const signalRecordSchema = askedSignalSchema.extend({
  unit: z.string(),
  stage: z.string(),
  round: z.int(),
  step: z.int(),
  value: z.string().nullable().describe('The option that was chosen; null: none was.'),
  by: z.string().nullable().describe('Who chose.'),
  askedAt: z.string(),
  until: z.string().describe('When the run continues without an answer.'),
  givenAt: z.string().nullable(),
});
export type SignalRecord = z.infer<typeof signalRecordSchema>;

/** The chosen option, or the fallback if no person chose. */
export interface ChosenOption {
  value: string;
  /** The person who chose. null: the fallback was used. */
  by: string | null;
  /** Time of the choice, ISO 8601. null: no question was asked. */
  at: string | null;
}

/** `POST /cases/{caseId}/signals/{name}`. */
export const giveSignalSchema = z.strictObject({
  option: z.string().min(1).max(100).describe('The value of one of the options.'),
  by: z.string().min(1).max(100).optional().describe('Who sends this. Default: `console`.'),
});

/** Result of giving a signal. */
export const givenSignalSchema = z.object({
  withheld: withheldSchema,
  runId: z.string(),
  signal: signalRecordSchema,
  repeated: z.boolean().describe('The same option was given before: the request changed nothing.'),
});
export type GivenSignal = z.infer<typeof givenSignalSchema>;
