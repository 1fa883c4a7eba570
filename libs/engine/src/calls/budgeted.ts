import { asCasefileError, CasefileError, type Clock, type Reservation } from '@casefile/contracts';
import type { BudgetSettings } from './budget-settings.js';
import { settingReservations, type Spender } from './budget-plan.js';
import type { CallRecord } from './call-record.js';
import type { ModelCandidate } from './model-plan.js';
import type { Paid } from './paid.js';
import type { Attempted, StageCall } from './stage-call.js';

export interface BudgetedPorts {
  budgets: BudgetSettings;
  /** Returns a batch's current limit in US dollars; null: no limit. Default: there are no batches. */
  batchBudget?: (batchId: string) => Promise<number | null>;
  clock: Clock;
}

/** Reserves the worst case of an attempt in each budget that it counts against. */
export class Budgeted {
  constructor(
    private readonly next: Paid,
    private readonly record: CallRecord,
    private readonly ports: BudgetedPorts,
  ) {}

  /** @throws CasefileError `budget_exhausted`, `batch_budget`, `unknown_price`: no call was made. */
  async attempt(call: StageCall, way: ModelCandidate): Promise<Attempted> {
    const reservations = this.reservations(call, way, await this.batch());
    return this.next.attempt({ ...call, reservations }, way).catch(namingTheBatch);
  }

  // Reads the current limit, because it may have been raised since the run was frozen.
  private async batch(): Promise<Spender['batch']> {
    const { batch: id } = this.record.work.settings;
    const usd = id === undefined ? null : ((await this.ports.batchBudget?.(id)) ?? null);
    return id === undefined || usd === null ? undefined : { id, usd };
  }

  private reservations(call: StageCall, way: ModelCandidate, batch: Spender['batch']): Reservation[] {
    const { caseId, lane, settings } = this.record.work;
    const spender = { caseId, lane, playbook: settings.playbook, ...(batch === undefined ? {} : { batch }) };
    const worst = () => way.worstCase(call.request);
    const { budgets, clock } = this.ports;
    const reservations = settingReservations(budgets, spender, worst, clock.now());
    if (reservations !== null) return reservations;
    const { provider, model } = way.model;
    throw new CasefileError(
      'unknown_price',
      `a budget counts money, and the price of ${provider}/${model} is not known`,
    );
  }
}

// A batch's budget has no fallback: the run waits until a person raises the budget or drops the batch.
function namingTheBatch(thrown: unknown): never {
  const { reasonCode, message, details } = asCasefileError(thrown);
  if (reasonCode !== 'budget_exhausted' || !String(details['key']).startsWith('batch:')) throw thrown;
  throw new CasefileError('batch_budget', message);
}
