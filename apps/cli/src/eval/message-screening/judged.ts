import { z, type CaseDocument, type Json } from '@casefile/contracts';
import { spendingOf } from '../figures.js';
import type { LabelledMessage } from './labelled-message.js';

/** What came of one labelled message; a line of the results file. */
export const judgedSchema = z.object({
  /** Of message and settings: the same again is not judged again. */
  key: z.string(),
  id: z.string(),
  language: z.string(),
  isScam: z.boolean(),
  category: z.string().nullable(),
  /** null: the run ended without a verdict. */
  action: z.string().nullable(),
  said: z.object({ isScam: z.boolean(), confidence: z.number(), category: z.string().nullable() }).nullable(),
  degraded: z.boolean(),
  /** As the message was routed. */
  routed: z.object({ language: z.string(), mode: z.string() }).nullable(),
  /** Categories of the matches, the most alike first; null: nothing was looked up. */
  matches: z.array(z.string()).nullable(),
  costUsd: z.number(),
  /** Model calls whose price is not known. */
  unpriced: z.number(),
  calls: z.number(),
  tokens: z.number(),
  /** In the model, all calls together. */
  modelMs: z.number(),
  /** From acceptance to verdict. */
  totalMs: z.number(),
});
export type JudgedMessage = z.infer<typeof judgedSchema>;

const outcomeSchema = z.object({
  action: z.string(),
  scamDetected: z.boolean(),
  confidence: z.number(),
  category: z.string().nullable(),
  mode: z.string(),
  language: z.string(),
});

/** What a case came to, beside its label. */
export function judgedOf(
  message: LabelledMessage,
  key: string,
  found: CaseDocument,
  totalMs: number,
): JudgedMessage {
  const run = found.runs[0];
  const outcome = outcomeSchema.safeParse(run?.verdict?.outcome).data ?? null;
  const { id, language, isScam, category } = message;
  return {
    ...{ key, id, language, isScam, category },
    action: outcome?.action ?? null,
    said:
      outcome === null
        ? null
        : { isScam: outcome.scamDetected, confidence: outcome.confidence, category: outcome.category },
    degraded: run?.verdict?.degraded ?? true,
    routed: outcome === null ? null : { language: outcome.language, mode: outcome.mode },
    matches: matchesOf(run?.artifacts.find(({ artifact }) => artifact === 'evidence')?.body['items']),
    ...spendingOf(run?.interactions ?? []),
    totalMs,
  };
}

const itemsSchema = z.array(
  z.object({
    toolName: z.string(),
    success: z.boolean(),
    result: z
      .object({ matches: z.array(z.object({ category: z.string() })) })
      .nullable()
      .catch(null),
  }),
);

function matchesOf(items: Json | undefined): string[] | null {
  const parsed = itemsSchema.safeParse(items);
  const found = parsed.data?.find((item) => item.toolName === 'find_similar_scams' && item.success);
  return found?.result?.matches.map(({ category }) => category) ?? null;
}
