import type { Batch } from '@casefile/contracts';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';

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
