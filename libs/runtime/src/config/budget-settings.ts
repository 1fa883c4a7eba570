import { LANES, z } from '@casefile/contracts';

const boundSchema = z
  .strictObject({
    /** US dollars. */
    usd: z.number().positive().optional(),
    /** Input and output together. */
    tokens: z.number().int().positive().optional(),
    /** The share of it from which on it is told to be nearly used up. */
    soft: z.number().min(0).max(1).default(0.8),
  })
  .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, {
    error: 'expected usd, tokens or both',
  });
export type BudgetBound = z.infer<typeof boundSchema>;

/** What may be spent on model calls: on each case in all, and a day (UTC) in all, by playbook and by lane. */
export const budgetSettingsSchema = z.strictObject({
  case: boundSchema.optional(),
  day: boundSchema.optional(),
  playbook: z.record(z.string(), boundSchema).default({}),
  lane: z.partialRecord(z.enum(LANES), boundSchema).default({}),
  /** A model of the same provider that is asked when there is no room for the run's own. */
  cheaperModel: z.string().min(1).optional(),
});
export type BudgetSettings = z.infer<typeof budgetSettingsSchema>;

export const NO_BUDGETS: BudgetSettings = { playbook: {}, lane: {} };

const ms = (most: number) => z.number().int().min(0).max(most);

/** How calls of models are tried again, and when a provider is left alone. */
export const callSettingsSchema = z.strictObject({
  /** Ask at start whether the configured models answer? */
  probeAtStart: z.boolean().default(true),
  /** Attempts at one step with one provider, the first included. */
  attempts: z.number().int().min(1).max(20).default(4),
  /** The first wait is drawn from 0 to this; the bound doubles with each attempt. */
  firstWaitMs: ms(60_000).default(250),
  longestWaitMs: ms(600_000).default(10_000),
  /** Further attempts for each first one at a provider, and how many may be saved up, in each process. */
  retryShare: z.number().min(0).max(10).default(0.35),
  retryReserve: z.number().min(1).max(1_000).default(3),
  circuit: z
    .strictObject({
      /** Failures in a row, over all workers. */
      openAfter: z.number().int().min(1).max(10_000).default(10),
      openSeconds: z.number().min(0.1).max(3_600).default(10),
      /** After an exhausted quota or a bad key. */
      pauseSeconds: z.number().min(0.1).max(86_400).default(60),
      /** The longest that one stays open while its probes fail: the time doubles with each, up to this. */
      longestSeconds: z.number().min(0.1).max(86_400).default(300),
    })
    .prefault({}),
});
export type CallSettings = z.infer<typeof callSettingsSchema>;
