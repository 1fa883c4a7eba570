import { quantile, sum } from '../figures.js';
import type { JudgedMessage } from './judged.js';
import {
  categoryScores,
  confusionOf,
  hitRates,
  reliabilityOf,
  scoresOf,
  type CategoryScores,
  type Reliability,
  type Scores,
} from './measures.js';

/** Names of a label's category in the knowledge base: people who write apart use other words for the same thing. */
export type SameCategories = Record<string, string[]>;

export interface Evaluation {
  messages: number;
  /** Without a verdict; with the safe default. */
  unfinished: number;
  degraded: number;
  confusion: ReturnType<typeof confusionOf>;
  overall: Scores;
  byLanguage: Record<string, Scores>;
  byCategory: CategoryScores[];
  calibration: Reliability;
  /** Part of the messages whose language was told as labelled. */
  routing: { labels: number; right: number };
  retrieval: Record<string, ReturnType<typeof hitRates>>;
  cost: { usd: number; unpriced: number; calls: number; tokens: number };
  /** In milliseconds. */
  latency: {
    modelP50: number | null;
    modelP95: number | null;
    totalP50: number | null;
    totalP95: number | null;
  };
}

/** Without what is so small that a single message could be told from it. */
export function totalsOf(found: Evaluation): Evaluation {
  return { ...found, byCategory: [], calibration: { ...found.calibration, bins: [] } };
}

/** Everything that is measured of judged messages. */
export function evaluationOf(judged: readonly JudgedMessage[], sameCategories: SameCategories): Evaluation {
  const same = (name: string, label: string) =>
    name === label || (sameCategories[label] ?? []).includes(name);
  const languages = [...new Set(judged.map(({ language }) => language))].sort();
  const by = <T>(measure: (own: JudgedMessage[]) => T) =>
    Object.fromEntries(
      languages.map((language) => [language, measure(judged.filter((one) => one.language === language))]),
    );
  const total = (value: (one: JudgedMessage) => number) => sum(judged.map(value));
  const routed = judged.filter((one) => one.routed !== null);
  const modelMs = judged.filter(({ calls }) => calls > 0).map((one) => one.modelMs);
  const totalMs = judged.map((one) => one.totalMs);
  return {
    messages: judged.length,
    unfinished: judged.filter(({ action }) => action === null).length,
    degraded: judged.filter(({ degraded }) => degraded).length,
    confusion: confusionOf(judged),
    overall: scoresOf(judged),
    byLanguage: by(scoresOf),
    byCategory: categoryScores(judged, same),
    calibration: reliabilityOf(judged),
    routing: {
      labels: routed.length,
      right: routed.filter(({ language, routed: to }) => to?.language === language).length,
    },
    retrieval: { all: hitRates(judged, same), ...by((own) => hitRates(own, same)) },
    cost: {
      usd: total(({ costUsd }) => costUsd),
      unpriced: total(({ unpriced }) => unpriced),
      calls: total(({ calls }) => calls),
      tokens: total(({ tokens }) => tokens),
    },
    latency: {
      ...{ modelP50: quantile(modelMs, 0.5), modelP95: quantile(modelMs, 0.95) },
      ...{ totalP50: quantile(totalMs, 0.5), totalP95: quantile(totalMs, 0.95) },
    },
  };
}
