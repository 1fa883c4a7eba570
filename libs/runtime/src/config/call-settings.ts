import { z } from '@casefile/contracts';

const ms = (most: number) => z.number().int().min(0).max(most);

/** Retries of model calls, and the times for which a failing provider is not asked. */
export const callSettingsSchema = z.strictObject({
  /** Whether to ask at start if the configured models answer. */
  probeAtStart: z.boolean().default(true),
  /** Attempts at one step with one provider, including the first. */
  attempts: z.number().int().min(1).max(20).default(4),
  /** The first wait is random between 0 and this value. The upper bound doubles with each attempt. */
  firstWaitMs: ms(60_000).default(250),
  longestWaitMs: ms(600_000).default(10_000),
  /** Retries earned per first attempt at a provider, and the most that can be saved up, in each process. */
  retryShare: z.number().min(0).max(10).default(0.35),
  retryReserve: z.number().min(1).max(1_000).default(3),
  circuit: z
    .strictObject({
      /** Consecutive failures, over all workers. Default: 10, or as many as the attempts of one call that used them up. */
      openAfter: z.number().int().min(1).max(10_000).optional(),
      openSeconds: z.number().min(0.1).max(3_600).default(10),
      /** Open time after an exhausted quota or a bad key. */
      pauseSeconds: z.number().min(0.1).max(86_400).default(60),
      /** Maximum open time. The time doubles with each failed probe. */
      longestSeconds: z.number().min(0.1).max(86_400).default(300),
    })
    .prefault({}),
});
export type CallSettings = z.infer<typeof callSettingsSchema>;
