import { STARTING_BASES } from '@casefile/knowledge';
import type { ConditionRule } from './condition-facts.js';

/**
 * Time after start before an empty base is reported, in milliseconds: the starting set may still be
 * importing.
 */
const IMPORTED_AFTER_MS = 15_000;

const baseId = (base: string) => `knowledge_empty.${base}`;

/** A knowledge base is empty although every installation begins with content for this base. */
export const baseEmpty: ConditionRule = {
  ids: () => STARTING_BASES.map((name) => ({ id: baseId(name), severity: 'warning' as const })),
  reads: ['knowledge'],
  settlesAfterMs: IMPORTED_AFTER_MS,
  holding: ({ emptyBases }) =>
    emptyBases.map(({ name, ...words }) => ({
      id: baseId(name),
      severity: 'warning',
      since: null,
      ...words,
      link: '/',
    })),
};
