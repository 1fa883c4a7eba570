import { seededRandom, z, type Json } from '@casefile/contracts';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { computeCalibration, type Calibration } from '@casefile/pipeline';
import { FEW_LABELS, share, wilson95, type Interval, callSpending } from '@casefile/kit/evaluation/figures';
import type { LabelledMessage } from '@casefile/kit/messages/read-dataset';

export interface Scores {
  labels: number;
  tooFewLabels: boolean;
  /** Scams that were acted on (engage or probe). The next three fields count the other combinations. */
  truePositive: number;
  falsePositive: number;
  falseNegative: number;
  trueNegative: number;
  /** null if there is nothing to divide by. */
  precision: number | null;
  recall: number | null;
  f1: number | null;
  /** Precision and recall with their 95 % intervals. */
  intervals: { precision: Interval; recall: Interval };
}

export interface CategoryScores {
  category: string;
  labels: number;
  tooFewLabels: boolean;
  /** Share of the category's scams that were acted on. */
  recall: number | null;
  /** Scores of the category that the verdicts named. */
  named: { precision: number | null; recall: number | null; f1: number | null };
}

/** Returns whether the message was acted on. */
const isFlagged = ({ action }: JudgedMessage): boolean => action === 'engage' || action === 'probe';

export function judgedScores(results: readonly JudgedMessage[]): Scores {
  const count = (isScam: boolean, flagged: boolean) =>
    results.filter((one) => one.isScam === isScam && isFlagged(one) === flagged).length;
  const [truePositive, falsePositive] = [count(true, true), count(false, true)];
  const [falseNegative, trueNegative] = [count(true, false), count(false, false)];
  const precision = share(truePositive, truePositive + falsePositive);
  const recall = share(truePositive, truePositive + falseNegative);
  const rates = { precision, recall, f1: f1Score(precision, recall) };
  const labels = results.length;
  return {
    labels,
    tooFewLabels: labels < FEW_LABELS,
    truePositive,
    falsePositive,
    falseNegative,
    trueNegative,
    ...rates,
    intervals: {
      precision: wilson95(truePositive, truePositive + falsePositive),
      recall: wilson95(truePositive, truePositive + falseNegative),
    },
  };
}

/** Counts actions per label (scam, harmless); `none`: the run ended without a verdict. */
export function judgedConfusion(
  results: readonly JudgedMessage[],
): Record<'scam' | 'harmless', Record<string, number>> {
  const row = (isScam: boolean) =>
    Object.fromEntries(
      ['engage', 'probe', 'ignore', 'none'].map((action) => [
        action,
        results.filter((one) => one.isScam === isScam && (one.action ?? 'none') === action).length,
      ]),
    );
  return { scam: row(true), harmless: row(false) };
}

/** @param same Returns whether this category name means the labelled category. */
export function categoryScores(
  results: readonly JudgedMessage[],
  same: (name: string, label: string) => boolean,
): CategoryScores[] {
  const labels = [
    ...new Set(results.flatMap(({ category }) => (category === null ? [] : [category]))),
  ].sort();
  return labels.map((category) => {
    const own = results.filter((one) => one.category === category);
    const predictions = results.filter(
      (one) => one.said?.isScam === true && same(one.said.category ?? '', category),
    );
    const right = predictions.filter((one) => one.category === category).length;
    const precision = share(right, predictions.length);
    const recall = share(right, own.length);
    return {
      category,
      labels: own.length,
      tooFewLabels: own.length < FEW_LABELS,
      recall: share(own.filter(isFlagged).length, own.length),
      named: { precision, recall, f1: f1Score(precision, recall) },
    };
  });
}

/** Seed of resampling, so that equal answers give equal figures. */
const SEED = 1;

/**
 * Returns how far the stated probability of a scam agrees with the labels. A safe default states no
 * probability.
 */
export function judgedReliability(results: readonly JudgedMessage[]): Calibration {
  return computeCalibration(
    results.flatMap(({ said: claim, degraded, isScam }) =>
      claim === null || degraded
        ? []
        : [
            {
              stated: claim.isScam ? claim.confidence : 1 - claim.confidence,
              observed: isScam ? (1 as const) : (0 as const),
            },
          ],
    ),
    seededRandom(SEED),
  );
}

/** Returns the shares of looked-up scams whose category is the first match, or among the first three. */
export function hitRates(results: readonly JudgedMessage[], same: (name: string, label: string) => boolean) {
  const queried = results.filter(({ category, matches }) => category !== null && matches !== null);
  const at = (k: number) =>
    share(
      queried.filter(({ category, matches }) =>
        matches?.slice(0, k).some((name) => same(name, category ?? '')),
      ).length,
      queried.length,
    );
  return { labels: queried.length, tooFewLabels: queried.length < FEW_LABELS, at1: at(1), at3: at(3) };
}

function f1Score(precision: number | null, recall: number | null): number | null {
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Result of one labelled message: a line of the results file. */
export const judgedMessageSchema = z.object({
  /** Digest of message and settings. A message with a known key is not judged again. */
  key: z.string(),
  id: z.string(),
  language: z.string(),
  isScam: z.boolean(),
  category: z.string().nullable(),
  /** null: the run ended without a verdict. */
  action: z.string().nullable(),
  said: z.object({ isScam: z.boolean(), confidence: z.number(), category: z.string().nullable() }).nullable(),
  degraded: z.boolean(),
  /** Detected language and routing mode of the message. */
  routed: z.object({ language: z.string(), mode: z.string() }).nullable(),
  /** Categories of the matches, most similar first; null: nothing was looked up. */
  matches: z.array(z.string()).nullable(),
  costUsd: z.number(),
  /** Number of model calls without a known price. */
  unpriced: z.number(),
  calls: z.number(),
  tokens: z.number(),
  /** Time in the model, summed over all calls. */
  modelMs: z.number(),
  /** Time from acceptance to verdict. */
  totalMs: z.number(),
});
export type JudgedMessage = z.infer<typeof judgedMessageSchema>;

const outcomeSchema = z.object({
  action: z.string(),
  scamDetected: z.boolean(),
  confidence: z.number(),
  category: z.string().nullable(),
  mode: z.string(),
  language: z.string(),
});

/** Returns the result of a case together with its label. */
export function toJudgedMessage(
  message: LabelledMessage,
  key: string,
  evalCase: EvalCase,
  totalMs: number,
): JudgedMessage {
  const run = evalCase.runs[0];
  const outcome = outcomeSchema.safeParse(run?.verdict?.outcome).data ?? null;
  const { id, language, isScam, category } = message;
  return {
    key,
    id,
    language,
    isScam,
    category,
    action: outcome?.action ?? null,
    said:
      outcome === null
        ? null
        : { isScam: outcome.scamDetected, confidence: outcome.confidence, category: outcome.category },
    degraded: run?.verdict?.degraded ?? true,
    routed: outcome === null ? null : { language: outcome.language, mode: outcome.mode },
    matches: itemMatches(run?.artifacts.find(({ artifact }) => artifact === 'evidence')?.body['items']),
    ...callSpending(run?.interactions ?? []),
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

function itemMatches(items: Json | undefined): string[] | null {
  const parsed = itemsSchema.safeParse(items);
  const lookUp = parsed.data?.find((item) => item.toolName === 'find_similar_scams' && item.success);
  return lookUp?.result?.matches.map(({ category }) => category) ?? null;
}
