import type { BatchFilter } from '@casefile/contracts';
import type { CaseFilter, FilterName } from './case-filter.js';

/** Filters of the list that a batch has, too. The others select nothing that can be judged again. */
const IN_BATCHES: readonly FilterName[] = [
  'playbook',
  'disposition',
  'action',
  'method',
  'degraded',
  'from',
  'to',
];

/** Returns the filter of a batch of the listed cases. null: none is set, or a batch cannot select by one of them. */
export function batchFilter(filter: CaseFilter): BatchFilter | null {
  const names = (Object.keys(filter) as FilterName[]).filter(
    (name) => name !== 'order' && filter[name] !== '',
  );
  if (names.length === 0 || !names.every((name) => IN_BATCHES.includes(name))) return null;
  const { playbook, disposition, action, method, degraded, from, to } = filter;
  return {
    ...(playbook !== undefined && { playbook }),
    ...(disposition !== undefined && { disposition }),
    ...(action !== undefined && { action }),
    ...(method !== undefined && { method }),
    ...(degraded !== undefined && { degraded: degraded === 'true' }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
