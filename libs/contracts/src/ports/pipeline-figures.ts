import { z } from 'zod';
import type { Lane } from '../job.js';

/** Recent work of one stage or tool in one lane. */
export interface WorkDone {
  name: string;
  lane: Lane;
  /** Successes in the last minute. */
  doneLastMinute: number;
  /** Failures in the last hour: failed tries, runs stopped or quarantined, tool calls without an answer. */
  failedLastHour: number;
  /** Calls in the last hour of a tool that lacks a key or a URL. They do not count as failures. */
  notConfiguredLastHour: number;
}

/** Use of one model in the last 24 hours. */
export const modelSpendSchema = z.object({
  provider: z.string(),
  model: z.string(),
  calls: z.int(),
  tokens: z.number().describe('Input and output together.'),
  costUsd: z.number().describe('Sum of the known prices, in US dollars.'),
});
export type ModelSpend = z.infer<typeof modelSpendSchema>;

/** Verdicts of the last hour. */
export const verdictFiguresSchema = z.object({
  lastHour: z.int(),
  byDisposition: z.record(z.string(), z.int()),
  fallbackRate: z.number().nullable().describe('Part of them that is degraded, 0..1; null without verdicts.'),
  abstainRate: z
    .number()
    .nullable()
    .describe('Share of them that needs review (`review`), 0..1; null without verdicts.'),
});
export type VerdictFigures = z.infer<typeof verdictFiguresSchema>;

/** Statistics of the rounds of one playbook in the last 24 hours. */
export const roundFiguresSchema = z.object({
  playbook: z.string(),
  verdicts: z.int().describe('Calls whose answers another case reused are not included.'),
  rounds: z.number().describe('Of one run, on average.'),
  notConverged: z.int().describe('Runs whose rounds ended without a draft that was good enough.'),
  rulings: z.record(z.string(), z.int()).describe('Of all reviews, `PASS`, `WARN` and `REJECT`.'),
});
export type RoundFigures = z.infer<typeof roundFiguresSchema>;

/** Recent metrics of the pipeline, computed from the record. */
export interface PipelineFigures {
  stages: WorkDone[];
  tools: WorkDone[];
  /** The figures may be some seconds old. */
  models: ModelSpend[];
  verdicts: VerdictFigures;
  deadLetters: number;
  /** Units that are due later, mostly because a provider is unavailable. */
  held: { stage: string; lane: Lane; n: number }[];
}
