import { z } from '@casefile/contracts';
import { defineOptions } from '../../options.js';
import { namedTwice, SHIPPED_TIERS, TIER_LANGUAGES, tierEntrySchema } from './tiers.js';

const TRIGGERS = [
  'verify whether',
  'verify if',
  'fact-check',
  'fact check',
  'is it true that',
  '查證',
  '請查證',
  '幫我查證',
  '求證',
  '請問是否屬實',
  '…是真的嗎',
  '…是否屬實',
] as const;

const timeout = (seconds: number) =>
  z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(seconds * 1_000);

const tierListSchema = z.array(tierEntrySchema).superRefine((tiers, context) => {
  for (const name of namedTwice(tiers))
    context.addIssue({ code: 'custom', message: `expected each name once, found "${name}" again` });
});

const modeSchema = z.strictObject({
  /** Sources above it, and unknown ones, are left out; 5: none is. */
  maxTier: z.number().int().min(1).max(5).default(5),
  /** Two tiers that the report sets beside each other. */
  compareTiers: z
    .array(z.number().int().min(1).max(5))
    .length(2, { error: 'expected two tiers to compare' })
    .optional(),
});
export type ModeRule = z.infer<typeof modeSchema>;

/** Figures of research; configuration may lay others over them. S5-01, S5-02, S5-03. */
export const options = defineOptions(
  'research',
  z.strictObject({
    /** false: sources alone are handed out, no model is asked; a number is the percentage of queries it is on for. */
    enabled: z.union([z.boolean(), z.number().min(0).max(100)]).default(true),
    maxRounds: z.number().int().min(1).max(10).default(3),
    analystTimeoutMs: timeout(60),
    criticTimeoutMs: timeout(30),
    writerTimeoutMs: timeout(45),
    /** How long a model may take to say in which ways a question can be read. S5-25. */
    clarifyTimeoutMs: timeout(15),
    /** How long the asker is waited for; then the question is taken as it was asked. */
    clarifyWaitMs: z.number().int().min(1_000).max(86_400_000).default(300_000),
    /**
     * How long a run may take from its request, or from what its asker answered, in milliseconds; then it ends with what there is,
     * marked as partial. null: as long as its roles take.
     */
    endWithinMs: z.number().int().min(1_000).max(86_400_000).nullable().default(null),
    /** How long an answer is taken over by those who ask the same of the same sources, in milliseconds; 0: never. S5-51. */
    reuseForMs: z.number().int().min(0).max(604_800_000).default(3_600_000),
    /** Times that a role is asked again when its answer cannot be read. */
    maxRetries: z.number().int().min(0).max(3).default(1),
    sourceTiers: tierListSchema.default([...SHIPPED_TIERS]),
    /** Tiers for questions in one language, in place of `sourceTiers`; `en` is for all that are not zh, ja or ko. T-08. */
    sourceTiersByLanguage: z
      .partialRecord(
        z.enum(TIER_LANGUAGES, { error: `expected one of ${TIER_LANGUAGES.join(', ')}` }),
        tierListSchema,
      )
      .default({}),
    modes: z.strictObject({ strict: modeSchema, discovery: modeSchema, monitor: modeSchema }).default({
      strict: { maxTier: 2 },
      discovery: { maxTier: 5 },
      monitor: { maxTier: 5, compareTiers: [1, 5] },
    }),
    /** With what a text begins, or ends where it is written `…so`, that asks for a research by itself; none: no text does. S5-50. */
    triggers: z
      .array(z.string().min(2).max(100))
      .max(100)
      .default([...TRIGGERS]),
    /** Results of one search. */
    resultsPerSearch: z.number().int().min(1).max(25).default(8),
  }),
);
export type ResearchOptions = ReturnType<typeof options.read>;
