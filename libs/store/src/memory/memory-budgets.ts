import type { Budgets, Charge } from '@casefile/contracts';
import { settle, type BudgetTable, type HeldReservation } from '../plan/budget.js';
import type { MemoryState } from './memory-state.js';

/** Budgets of a memory store, and what is held of them for each call. */
export interface BudgetBook {
  table: BudgetTable;
  /** By interaction. */
  held: Map<string, HeldReservation[]>;
}

export const emptyBudgetBook = (): BudgetBook => ({ table: new Map(), held: new Map() });

/** Settles what a call had reserved; without a charge at its worst case. */
export function settleCall(state: MemoryState, interactionId: string, charge: Charge | null): void {
  const { table, held } = state.budgets;
  settle(table, held.get(interactionId) ?? [], charge, state.now());
  held.delete(interactionId);
}

/** Budgets, to be read. */
export function memoryBudgets(state: MemoryState): Budgets {
  return {
    budgetStates: async (limit, named = []) =>
      [...state.budgets.table.values()]
        .sort((a, b) => b.changedAt - a.changedAt || (a.key + a.window < b.key + b.window ? -1 : 1))
        .filter(
          ({ key, window }, place) =>
            place < limit || named.some((one) => one.key === key && one.window === window),
        )
        .map(({ changedAt, ...entry }) => ({ ...entry, changedAt: state.iso(changedAt) })),
  };
}
