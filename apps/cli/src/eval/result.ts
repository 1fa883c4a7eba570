import { createHash } from 'node:crypto';
import { DISPOSITIONS, seededRandom, z, type RunSettings } from '@casefile/contracts';
import { actingThreshold, computeCalibration, type Forecast } from '@casefile/pipeline';
import type { Dataset, ItemResult, Line } from '@casefile/kit/evaluation/dataset';
import { mean, quantile, sum } from '@casefile/kit/evaluation/figures';
import {
  answerFigures,
  confusion,
  isRight,
  type ScoredAnswer,
} from '@casefile/kit/evaluation/scored-answers';

/**
 * Languages of an unseen set with fewer labels are left out, because their figures could reveal a single
 * item.
 */
const FEWEST_OF_LANGUAGE = 5;
/**
 * Largest share of wrong verdicts among those acted on, and the probability that a suggested threshold
 * exceeds it.
 */
const ACTED_ON = { alpha: 0.05, delta: 0.05 };
/** Seed of resampling, so that equal answers give an equal result. */
const SEED = 1;

const count = z.number().int();
const figure = z.number().nullable();
const intervalSchema = z.object({ part: count, of: count, share: figure, from: figure, to: figure });
const answersSchema = z.object({
  labels: count,
  right: intervalSchema,
  rightOfAnswered: intervalSchema,
  abstained: intervalSchema,
  classes: z.record(
    z.string(),
    z.object({
      labels: count,
      answers: count,
      precision: intervalSchema,
      recall: intervalSchema,
      f1: figure,
    }),
  ),
});

/** The result of one evaluation, as its file in `docs/results` holds it. Times are in milliseconds, costs in US dollars. */
export const evalResultSchema = z.object({
  format: z.literal(1),
  /** YYYY-MM-DD. */
  date: z.string(),
  /** Commit of the program that judged; null: the program does not run from a checkout. */
  commit: z.string().nullable(),
  /** Whether there were uncommitted changes. */
  modified: z.boolean(),
  command: z.string(),
  kind: z.string(),
  /** `digest`: SHA-256 of the set's file. `unseen`: not read by people who work on rules and prompts. */
  set: z.object({ name: z.string(), digest: z.string(), unseen: z.boolean() }),
  judgedBy: z.object({
    strategy: z.string(),
    provider: z.string(),
    model: z.string(),
    /** Names of the models, as given in their answers. */
    models: z.array(z.string()),
    prompts: z.array(z.string()),
    /** Number of verdicts per method. */
    methods: z.record(z.string(), count),
    /** SHA-256 of the frozen settings of the runs. */
    settings: z.string(),
  }),
  items: z.object({ all: count, withoutVerdict: count, degraded: count }),
  dispositions: z.record(z.enum(DISPOSITIONS), count),
  answers: answersSchema,
  byLanguage: z.record(z.string(), answersSchema),
  /** Answers per label; `none`: the question was left open. */
  confusion: z.record(z.string(), z.record(z.string(), count)),
  /**
   * Calibration of the stated confidence, per source of the confidence. `ece`: expected calibration error
   * with its 95 % interval, null for fewer than 100 labels. `actFrom`: confidence from which at most 5 % of
   * the verdicts acted on are wrong, with a probability of 95 %; null: the labels show none.
   */
  calibration: z.record(
    z.string(),
    z.object({
      labels: count,
      ece: figure,
      eceFrom: figure.default(null),
      eceTo: figure.default(null),
      brier: figure,
      actFrom: figure.default(null),
    }),
  ),
  /** Shares that only this kind has, by name. */
  rates: z.record(z.string(), intervalSchema),
  cost: z.object({ usd: z.number(), perItem: figure, unpriced: count, calls: count, tokens: count }),
  time: z.object({ modelP50: figure, modelP95: figure, totalP50: figure, totalP95: figure }),
});
export type EvalResult = z.infer<typeof evalResultSchema>;

/** Fields of a result that describe the evaluation itself. */
export type EvalAbout = Pick<EvalResult, 'date' | 'commit' | 'modified' | 'command' | 'kind'> & {
  set: { name: string; text: string; unseen: boolean };
  settings: RunSettings;
};

/** Returns the figures that every kind of case has, and the figures of this kind. */
export function summariseResults<J extends ItemResult>(
  lines: readonly Line<J>[],
  dataset: Pick<Dataset<J>, 'scoredAnswers' | 'rates'>,
  { set, settings, ...about }: EvalAbout,
): EvalResult {
  const runs = lines.map(({ run }) => run);
  const marked = lines.flatMap((line) =>
    dataset.scoredAnswers(line).map((mark) => ({ mark, source: line.run.confidenceSource })),
  );
  const marks = marked.map(({ mark }) => mark);
  const modelMs = runs.filter(({ calls }) => calls > 0).map((run) => run.modelMs);
  const totalMs = runs.map((run) => run.totalMs);
  const priced = runs.filter(({ unpriced }) => unpriced === 0).map(({ costUsd }) => costUsd);
  return {
    format: 1,
    ...about,
    set: { name: set.name, digest: textDigest(set.text), unseen: set.unseen },
    judgedBy: {
      strategy: settings.strategy,
      provider: settings.provider,
      model: settings.model,
      models: namesIn(runs.map(({ models }) => models)),
      prompts: namesIn(runs.map(({ prompts }) => prompts)),
      methods: counts(runs.flatMap(({ method }) => method ?? [])),
      settings: textDigest(JSON.stringify(settings)),
    },
    items: {
      all: runs.length,
      withoutVerdict: runs.filter(({ disposition }) => disposition === null).length,
      degraded: runs.filter(({ degraded }) => degraded).length,
    },
    dispositions: dispositionsIn(runs.map(({ disposition }) => disposition)),
    answers: answerFigures(marks),
    byLanguage: byLanguage(marks, set.unseen),
    confusion: confusion(marks),
    calibration: calibrationBySource(marked),
    rates: dataset.rates(lines),
    cost: {
      usd: sum(runs.map(({ costUsd }) => costUsd)),
      perItem: mean(priced),
      unpriced: sum(runs.map(({ unpriced }) => unpriced)),
      calls: sum(runs.map(({ calls }) => calls)),
      tokens: sum(runs.map(({ tokens }) => tokens)),
    },
    time: {
      modelP50: quantile(modelMs, 0.5),
      modelP95: quantile(modelMs, 0.95),
      totalP50: quantile(totalMs, 0.5),
      totalP95: quantile(totalMs, 0.95),
    },
  };
}

function byLanguage(marks: readonly ScoredAnswer[], unseen: boolean): EvalResult['byLanguage'] {
  const languages = [...new Set(marks.flatMap(({ language }) => language ?? []))].sort();
  return Object.fromEntries(
    languages
      .map((language) => [language, marks.filter((mark) => mark.language === language)] as const)
      .filter(([, own]) => !unseen || own.length >= FEWEST_OF_LANGUAGE)
      .map(([language, own]) => [language, answerFigures(own)]),
  );
}

function calibrationBySource(
  marked: readonly { mark: ScoredAnswer; source: string | null }[],
): EvalResult['calibration'] {
  const bySource = new Map<string, Forecast[]>();
  for (const { mark, source } of marked) {
    if (mark.answer === null || mark.confidence === null || source === null) continue;
    const forecast = { stated: mark.confidence, observed: isRight(mark) ? (1 as const) : (0 as const) };
    bySource.set(source, [...(bySource.get(source) ?? []), forecast]);
  }
  return Object.fromEntries(
    [...bySource].map(([source, forecasts]) => {
      const { labels, error, brier } = computeCalibration(forecasts, seededRandom(SEED));
      const interval = { ece: error?.value ?? null, eceFrom: error?.low ?? null, eceTo: error?.high ?? null };
      const actFrom = actingThreshold(forecasts, ACTED_ON)?.from ?? null;
      return [source, { labels, ...interval, brier: brier?.score ?? null, actFrom }];
    }),
  );
}

function dispositionsIn(all: readonly (string | null)[]): EvalResult['dispositions'] {
  const of = (name: string) => all.filter((one) => one === name).length;
  return { act: of('act'), review: of('review'), dismiss: of('dismiss') };
}

function namesIn(lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())].sort();
}

function counts(names: readonly string[]): Record<string, number> {
  const countByName: Record<string, number> = {};
  for (const name of names.toSorted()) countByName[name] = (countByName[name] ?? 0) + 1;
  return countByName;
}

function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
