import { z } from '@casefile/contracts';
import { defineOptions, toolWaitOption } from '@casefile/pipeline/options';
import { namedTwice, SHIPPED_TIERS, TIER_LANGUAGES, tierEntrySchema } from './tiers.js';
import { MOST_PLANTED, PLANTED_BY_DEFAULT } from '@casefile/pipeline/parts/planted-claims';

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
  /** Highest tier allowed. Sources of higher tiers or without a tier are excluded. 5 allows all sources. */
  maxTier: z.number().int().min(1).max(5).default(5),
  /** Two tiers that the report compares. */
  compareTiers: z
    .array(z.number().int().min(1).max(5))
    .length(2, { error: 'expected two tiers to compare' })
    .optional(),
});
export type ModeRule = z.infer<typeof modeSchema>;

/** Options of research. Configuration can override them. */
export const options = defineOptions(
  'research',
  z.strictObject({
    /**
     * false: returns only the sources, without a model; a number: the percentage of queries with research.
     */
    enabled: z.union([z.boolean(), z.number().min(0).max(100)]).default(true),
    maxRounds: z.number().int().min(1).max(10).default(3),
    analystTimeoutMs: timeout(60),
    criticTimeoutMs: timeout(30),
    writerTimeoutMs: timeout(45),
    /** Longest wait for searches, in milliseconds. */
    toolWaitMs: toolWaitOption(30_000),
    /** Longest time for a model to find the interpretations of a question. */
    clarifyTimeoutMs: timeout(15),
    /** Longest wait for the asker's answer. After it, the question is used unchanged. */
    clarifyWaitMs: z.number().int().min(1_000).max(86_400_000).default(300_000),
    /**
     * Longest time of a run from its request, or from the answer to a clarification, in milliseconds. The run
     * then ends with its results so far, marked as partial. null: no limit.
     */
    endWithinMs: z.number().int().min(1_000).max(86_400_000).nullable().default(null),
    /** Whether a second question to a model tests the claims of a report before the report passes. */
    crossExamine: z.boolean().default(true),
    /** False claims that are planted in an examination to test the examiner. */
    plantedClaims: z.number().int().min(0).max(MOST_PLANTED).default(PLANTED_BY_DEFAULT),
    /** How long equal questions about the same sources reuse an answer, in milliseconds; 0: never. */
    reuseForMs: z.number().int().min(0).max(604_800_000).default(3_600_000),
    /** Times that a role is asked again when its answer cannot be read. */
    maxRetries: z.number().int().min(0).max(3).default(1),
    sourceTiers: tierListSchema.default([...SHIPPED_TIERS]),
    /** Whether a source that is in no list of these options gets its tier from the shipped list of many languages. */
    shippedSources: z.boolean().default(true),
    /**
     * Tiers for questions in one language, instead of `sourceTiers`. `en` is for all languages but zh, ja and
     * ko.
     */
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
    /**
     * Beginnings of texts that trigger a research. A trigger written `…so` is an ending. Empty: no trigger.
     */
    triggers: z
      .array(z.string().min(2).max(100))
      .max(100)
      .default([...TRIGGERS]),
    /** Most results of one search. */
    resultsPerSearch: z.number().int().min(1).max(25).default(8),
  }),
);
export type ResearchOptions = ReturnType<typeof options.read>;
