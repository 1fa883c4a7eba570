import { STARTING_BASES } from '@casefile/runtime';
import type { ConditionRule } from './condition-facts.js';

/** A console that has just started may look before the starting set is imported. In milliseconds. */
const IMPORTED_AFTER_MS = 15_000;

const idOf = (base: string) => `knowledge_empty.${base}`;

/** A knowledge base is empty that every installation begins with. T-20. */
export const baseEmpty: ConditionRule = {
  ids: () => STARTING_BASES.map((name) => ({ id: idOf(name), severity: 'warning' as const })),
  holding: ({ emptyBases, upForMs }) =>
    upForMs < IMPORTED_AFTER_MS
      ? []
      : emptyBases.map(({ name, ...words }) => ({
          id: idOf(name),
          severity: 'warning',
          since: null,
          ...words,
          link: '/',
        })),
};
