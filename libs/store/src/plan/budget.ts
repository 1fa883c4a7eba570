import { CasefileError, type Charge, type Reservation } from '@casefile/contracts';

/** One window of one budget, as the rules see it. */
export interface BudgetEntry extends Omit<Reservation, 'amount' | 'softAt'> {
  reserved: number;
  spent: number;
  warned: boolean;
  changedAt: number;
}

/** What is kept of a reservation with its call. */
export type HeldReservation = Pick<Reservation, 'key' | 'window' | 'measure' | 'amount'>;

export type BudgetTable = Map<string, BudgetEntry>;

/** Reserves all or nothing. @returns the budgets that are nearly used up by it, each told once. @throws `budget_exhausted`. */
export function reserve(budgets: BudgetTable, reservations: Reservation[], now: number): BudgetEntry[] {
  const entries = reservations.map((wanted) => entryOf(budgets, wanted, now));
  const full = reservations.find((wanted, i) => {
    const { reserved, spent } = entries[i]!;
    return reserved + spent + wanted.amount > wanted.limit;
  });
  if (full !== undefined) throw budgetExhausted(full);
  return reservations.flatMap((wanted, i) => {
    const entry = entries[i]!;
    Object.assign(entry, { reserved: entry.reserved + wanted.amount, limit: wanted.limit, changedAt: now });
    const crosses = !entry.warned && entry.reserved + entry.spent >= wanted.softAt;
    entry.warned ||= crosses;
    return crosses ? [entry] : [];
  });
}

/** Turns what was reserved for a call into what it came to; without a charge, into its worst case. */
export function settle(
  budgets: BudgetTable,
  held: HeldReservation[],
  charge: Charge | null,
  now: number,
): void {
  for (const { key, window, measure, amount } of held) {
    const entry = budgets.get(keyOf({ key, window }));
    if (entry === undefined) continue;
    entry.reserved -= amount;
    entry.spent += charge?.[measure] ?? amount;
    entry.changedAt = now;
  }
}

/** The store's word for a budget that has no room for a call. */
export function budgetExhausted({ key, window }: Pick<Reservation, 'key' | 'window'>): CasefileError {
  const period = window === 'all' ? '' : ` of ${window}`;
  return new CasefileError('budget_exhausted', `The budget ${key}${period} has no room for this call.`, {
    details: { key, window },
  });
}

/** The event of a budget that is nearly used up, in the words that the database's own statement uses. */
export function softEvent(entry: BudgetEntry) {
  const { key, window, measure, limit, reserved, spent } = entry;
  return { type: 'budget.soft', data: { key, window, measure, limit, used: reserved + spent } };
}

function entryOf(budgets: BudgetTable, wanted: Reservation, now: number): BudgetEntry {
  const { key, window, measure, limit } = wanted;
  const known = budgets.get(keyOf(wanted)) ?? {
    key,
    window,
    measure,
    limit,
    reserved: 0,
    spent: 0,
    warned: false,
    changedAt: now,
  };
  budgets.set(keyOf(wanted), known);
  return known;
}

function keyOf({ key, window }: Pick<Reservation, 'key' | 'window'>): string {
  return `${key}\n${window}`;
}
