import { z } from 'zod';
import { isExact } from './silence-matchers.js';
import { instantSchema } from './times.js';

/** Longest time for which a person can silence alerts, in milliseconds. */
export const LONGEST_SILENCE_MS = 7 * 86_400_000;
/** Maximum number of matchers of a silence. */
const MOST_MATCHERS = 20;

/** A condition on one field of an alert, as in the API of Alertmanager. A field that the alert lacks is empty. */
export const silenceMatcherSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .describe('A label of the alert, or `alertname`, `severity`, `source` or `kind`.'),
  value: z.string().max(1_000),
  isRegex: z
    .boolean()
    .default(false)
    .describe('Whether `value` is a pattern in RE2 syntax, which must match the whole field.'),
  isEqual: z.boolean().default(true).describe('false: the field must not match.'),
});

/** Body of `POST /silences`. */
export const createSilenceSchema = z.strictObject({
  by: z.string().min(1).max(200).optional().describe('Author. Default: `console`.'),
  actId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('A repeated request with the same id creates one silence. Default: a new id.'),
  matchers: z
    .array(silenceMatcherSchema)
    .min(1)
    .max(MOST_MATCHERS)
    .refine((all) => all.some(isExact), {
      error:
        'expected at least one matcher with an exact value, such as { "name": "service", "value": "checkout" }',
    })
    .describe('All must match. At least one needs an exact value that is not empty.'),
  startsAt: instantSchema.optional().describe('Default: now.'),
  endsAt: instantSchema.describe('At most 7 days after the start.'),
  reason: z.string().trim().min(1).max(500),
});
export type CreateSilence = z.infer<typeof createSilenceSchema>;

/** Body of `POST /silences/{id}/end`. */
export const endSilenceSchema = z.strictObject({
  by: z.string().min(1).max(200).optional().describe('Who ends it. Default: `console`.'),
  reason: z.string().max(500).optional(),
  actId: z.string().min(1).max(100).optional(),
});

/** `planned`: it has not started yet. `over`: it ended, or a person ended it. */
export const SILENCE_STATES = ['planned', 'active', 'over'] as const;
export type SilenceState = (typeof SILENCE_STATES)[number];

/** Systems in which silences are created. */
export const SILENCE_SOURCES = ['casefile', 'alertmanager'] as const;

/** A silence with what it withheld. */
export const shownSilenceSchema = z.object({
  id: z.string(),
  source: z
    .enum(SILENCE_SOURCES)
    .describe('`alertmanager`: it was read from Alertmanager, and only Alertmanager can change it.'),
  state: z.enum(SILENCE_STATES),
  matchers: z.array(silenceMatcherSchema),
  startsAt: z.string(),
  endsAt: z.string().describe('If a person ended it early, the time at which it was ended.'),
  reason: z.string(),
  author: z.string(),
  endedBy: z.string().nullable().describe('Who ended it early; null: no person.'),
  problem: z
    .string()
    .nullable()
    .describe('Why a silence of Alertmanager does not apply here; null: it applies.'),
  withheld: z.object({
    cases: z.int().describe('Cases of which at least one verdict was withheld.'),
    messages: z.int().describe('Messages to destinations that were not sent.'),
    critical: z.int().describe('Of these messages, those about a verdict of severity `critical`.'),
  }),
});
export type ShownSilence = z.infer<typeof shownSilenceSchema>;

/** `GET /silences`. */
export const silenceListSchema = z.object({
  silences: z
    .array(shownSilenceSchema)
    .describe('Those in force first, then planned ones, then the newest that are over.'),
});
export type SilenceList = z.infer<typeof silenceListSchema>;

/** Query of `GET /silences`. */
export const silenceQuerySchema = z.strictObject({
  state: z.enum(SILENCE_STATES).optional().describe('Default: all; at most the newest 100 that are over.'),
});

/** The silence because of which the newest verdict of a case was not sent. */
export const caseSilenceSchema = z.object({
  silenceId: z.string(),
  runId: z.string().describe('The run whose verdict was withheld.'),
  reason: z.string(),
  author: z.string(),
  endsAt: z.string(),
  isOver: z.boolean(),
  messages: z.int().describe('Messages to destinations that were not sent.'),
});
