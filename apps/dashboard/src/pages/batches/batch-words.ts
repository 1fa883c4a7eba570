import type { Batch, BatchState } from '@casefile/contracts';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';

/** The states of a batch in words. */
export const WORDS_OF_BATCHES: Readonly<Record<BatchState, string>> = {
  running: 'running',
  paused: 'paused',
  done: 'ready to apply',
  applying: 'applying',
  applied: 'applied',
  discarded: 'discarded',
};

/**
 * Figures that qualify the flipped verdicts: cases that flip without any change, cases judged without a
 * model, and how many verdicts were right according to feedback.
 */
export function comparedIn({
  done,
  twice,
  unsteady,
  identical,
  labelled,
  rightBefore,
  rightNow,
}: Batch): string[] {
  return [
    ...(twice === 0
      ? []
      : [`Of ${countOf(twice, 'case')} run twice, ${countText(unsteady)} differ without a change`]),
    ...(identical === 0
      ? []
      : [
          `${countText(identical)} of ${countText(done)} sent the same requests and called no model: only rules and thresholds are compared`,
        ]),
    ...(labelled === 0
      ? []
      : [
          `Right by feedback: ${countText(rightBefore)} before, ${countText(rightNow)} now, of ${countText(labelled)}`,
        ]),
  ];
}

/** Returns the progress and result of a batch as a list of short texts. */
export function batchFacts({
  state,
  done,
  total,
  flipped,
  failed,
  applied,
  sent,
  decidedByPerson,
  unchanged,
  overtaken,
  leftOut,
  costUsd,
  ratePerSecond,
  etaSeconds,
  reason,
}: Batch): string[] {
  return [
    `${countText(done)} of ${countText(total)}`,
    `${countText(flipped)} flipped`,
    ...(failed === 0 ? [] : [`${countText(failed)} without a verdict`]),
    ...(decidedByPerson === 0 ? [] : [`${countText(decidedByPerson)} decided by a person`]),
    ...(applied === 0 ? [] : [`${countText(applied)} applied`, `${countText(sent)} sent`]),
    ...(unchanged === 0 ? [] : [`${countText(unchanged)} unchanged`]),
    ...(leftOut === 0 ? [] : [`${countText(leftOut)} not chosen`]),
    ...(overtaken === 0 ? [] : [`${countText(overtaken)} with a newer verdict`]),
    moneyText(costUsd),
    ...(state === 'running' && ratePerSecond !== null ? [`${ratePerSecond.toFixed(1)} a second`] : []),
    ...(etaSeconds !== null && etaSeconds > 0 ? [`${durationText(etaSeconds * 1_000)} left`] : []),
    ...(reason === null ? [] : [reason]),
  ];
}

/** Describes the cases of a batch in words, to distinguish batches in a list. */
export function casesInWords({
  ask: { filter, caseIds, dataset, degradedSince },
  total,
}: Pick<Batch, 'ask' | 'total'>): string {
  if (caseIds !== undefined) return countOf(total, 'named case');
  if (dataset !== undefined) return `data set ${visible(dataset)}`;
  if (degradedSince !== undefined) return `degraded since ${visible(degradedSince)}`;
  const { playbook, ...rest } = filter ?? {};
  const facts = factsIn({ kind: playbook, ...rest });
  return facts.length === 0 ? 'all cases' : `cases with ${facts.join(', ')}`;
}

/** Describes in words how the cases are judged again. */
export function requestInWords({
  ask: { lane = 'batch', evidence = 'recorded', settings = {}, ratePerSecond, budgetUsd },
}: Pick<Batch, 'ask'>): string {
  const { options = {}, ...rest } = settings;
  const changed = [...factsIn(rest), ...factsIn(options)];
  return [
    lane === 'replay' ? 'only from stored answers' : `on ${evidence} evidence`,
    changed.length > 0
      ? `with ${changed.join(', ')}`
      : lane === 'replay'
        ? 'with the original settings'
        : 'with the current settings',
    ...(ratePerSecond === undefined ? [] : [`at most ${ratePerSecond} a second`]),
    ...(budgetUsd === undefined ? [] : [`for at most $${budgetUsd}`]),
  ].join(', ');
}

function factsIn(facts: object): string[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => visible(`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`));
}
