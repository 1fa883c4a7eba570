import {
  degradedCauseOf,
  type ArmFigures,
  type ComparedRun,
  type ShownAgreement,
  type ShownMean,
  type ShownRate,
} from '@casefile/contracts';
import { cohensKappa, confusionMatrix, meanInterval, wilson } from './statistics.js';

/** Label of a verdict without an outcome word. */
const NONE = 'none';

/** Returns the word for a verdict's outcome: its action, else its disposition. */
export const outcomeOf = ({ action, disposition }: Pick<ComparedRun, 'action' | 'disposition'>): string =>
  action ?? disposition ?? NONE;

export const isDecided = ({ status }: Pick<ComparedRun, 'status'>): boolean => status === 'decided';
export const isUnderWay = ({ status }: Pick<ComparedRun, 'status'>): boolean =>
  !['decided', 'stopped', 'quarantined', 'parked'].includes(status);

/** Returns the decisions and costs of one arm. Runs that have not ended are left out. */
export function figuresFor(arm: string, runs: readonly ComparedRun[]): ArmFigures {
  const ended = runs.filter((run) => !isUnderWay(run));
  const decided = ended.filter(isDecided);
  const labelled = decided.filter(({ right }) => right !== null);
  const numbers = (field: 'rounds' | 'tokens' | 'costUsd' | 'latencyMs') =>
    meanOf(decided.flatMap((run) => run[field] ?? []));
  const total = (field: 'cited' | 'supported') => decided.reduce((sum, run) => sum + run[field], 0);
  return {
    arm,
    cases: decided.length,
    outcomes: valueRates(decided.map(outcomeOf)),
    dispositions: valueRates(decided.map(({ disposition }) => disposition ?? NONE)),
    right: rateOf(labelled.filter(({ right }) => right === true).length, labelled.length),
    citations: rateOf(total('supported'), total('cited')),
    abstentions: rateOf(decided.filter(({ disposition }) => disposition === 'review').length, decided.length),
    errors: rateOf(ended.length - decided.length, ended.length),
    fallbacks: rateOf(decided.filter(isFallback).length, decided.length),
    rounds: numbers('rounds'),
    tokens: numbers('tokens'),
    costUsd: numbers('costUsd'),
    latencyMs: numbers('latencyMs'),
  };
}

/** Returns the agreement of pairs of labels: the control's and the new arm's. */
export function agreementOf(pairs: readonly { a: string; b: string }[]): ShownAgreement {
  const matrix = confusionMatrix(pairs.map(({ a, b }) => ({ a, b, n: 1 })));
  const { kappa, expected, interval } = cohensKappa(matrix);
  const same = pairs.filter(({ a, b }) => a === b).length;
  const { low = null, high = null } = interval ?? {};
  return { same: rateOf(same, pairs.length), kappa, expected, low, high, ...matrix };
}

/** Returns a rate with its 95 % interval. */
export function rateOf(x: number, n: number): ShownRate {
  return { x, n, rate: n === 0 ? null : x / n, ...wilson({ x, n }) };
}

function isFallback({ fallback, isOtherModel }: ComparedRun): boolean {
  return isOtherModel || (fallback !== null && degradedCauseOf(fallback) !== null);
}

function valueRates(values: readonly string[]): ({ value: string } & ShownRate)[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([value, x]) => ({ value, ...rateOf(x, values.length) }));
}

function meanOf(values: readonly number[]): ShownMean {
  const n = values.length;
  if (n === 0) return { n, mean: null, low: null, high: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const { low = null, high = null } = meanInterval(n, mean, Math.sqrt(squares / Math.max(1, n - 1))) ?? {};
  return { n, mean, low, high };
}
