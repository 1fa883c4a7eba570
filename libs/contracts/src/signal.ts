import { z } from 'zod';

/** Options of one question, and characters of what is shown of it. */
const MOST_OPTIONS = 10;
const LONGEST = 500;

/** What a stage asks people while its unit waits, and with what it goes on when nobody answers in time. */
export const askedSignalSchema = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .describe('What the signal is called that answers it.'),
  question: z.string().max(LONGEST),
  options: z
    .array(z.object({ value: z.string().min(1).max(100), label: z.string().max(LONGEST) }))
    .min(1)
    .max(MOST_OPTIONS),
  fallback: z.string().describe('The option that it goes on with when the time is over.'),
});
export type AskedSignal = z.infer<typeof askedSignalSchema>;

/** A question to people on the record, with its answer once there is one. */
export const signalRecordSchema = askedSignalSchema.extend({
  unit: z.string(),
  stage: z.string(),
  round: z.int(),
  step: z.int(),
  value: z.string().nullable().describe('The option that was chosen; null: none was.'),
  by: z.string().nullable().describe('Who chose.'),
  askedAt: z.string(),
  until: z.string().describe('When it goes on without an answer.'),
  givenAt: z.string().nullable(),
});
export type SignalRecord = z.infer<typeof signalRecordSchema>;

/** What somebody chose, or what was taken because nobody did. */
export interface ChosenOption {
  value: string;
  /** Who chose; null: nobody, it is the fallback. */
  by: string | null;
  /** ISO 8601: when that was; null: nobody was asked. */
  at: string | null;
}

/** `POST /cases/{caseId}/signals/{name}`. */
export const giveSignalSchema = z.strictObject({
  option: z.string().min(1).max(100).describe('The value of one of the options.'),
  by: z.string().min(1).max(100).optional().describe('Who says so; left out: `console`.'),
});

/** What came of a signal. */
export const givenSignalSchema = z.object({
  runId: z.string(),
  signal: signalRecordSchema,
  repeated: z.boolean().describe('It was given before, with the same option: nothing was done now.'),
});
export type GivenSignal = z.infer<typeof givenSignalSchema>;
