import {
  MICROS,
  reasonOf,
  type BudgetMeasure,
  type Charge,
  type InteractionResult,
  type Lane,
  type ModelRequest,
  type Reservation,
} from '@casefile/contracts';
import { countedTokens } from '@casefile/pipeline';
import type { BudgetBound, BudgetSettings } from './budget-settings.js';
import type { WorstCase } from './model-plan.js';

/** Owner of a call's budgets. */
export interface Spender {
  caseId: string;
  playbook: string;
  lane: Lane;
  /** Batch that judges the case again, and the batch's limit in US dollars. */
  batch?: { id: string; usd: number };
}

/** Returns whether any budget is configured. */
export function hasBudgets({ case: ofCase, day, playbook, lane }: BudgetSettings): boolean {
  return (
    ofCase !== undefined ||
    day !== undefined ||
    Object.keys(playbook).length > 0 ||
    Object.keys(lane).length > 0
  );
}

type Bound = [key: string, window: string, bound: BudgetBound | undefined];

/** Returns whether any budget limits this measure. */
export function counts(settings: BudgetSettings, measure: BudgetMeasure): boolean {
  const { case: ofCase, day, playbook, lane } = settings;
  const bounds = [ofCase, day, ...Object.values(playbook), ...Object.values(lane)];
  return bounds.some((bound) => bound?.[measure] !== undefined);
}

/**
 * Returns what a call reserves: its worst case in each of its budgets, in the order of their keys. Budgets of
 * cases and batches never reset. All others reset daily (UTC).
 * @returns null if a budget counts money and the price is not known.
 */
export function settingReservations(
  settings: BudgetSettings,
  { caseId, playbook, lane, batch }: Spender,
  worst: () => WorstCase,
  now: number,
): Reservation[] | null {
  const today = dayOfTime(now);
  const bounds: Bound[] = [
    [`batch:${batch?.id}`, 'all', batch === undefined ? undefined : { usd: batch.usd, soft: 1 }],
    [`case:${caseId}`, 'all', settings.case],
    ['day', today, settings.day],
    [`lane:${lane}`, today, settings.lane[lane]],
    [`playbook:${playbook}`, today, settings.playbook[playbook]],
  ];
  // Shadow runs reserve only in budgets of their batch or lane, so that they never use up those of live runs.
  const own = lane === 'shadow' ? bounds.filter(([key]) => /^(?:batch|lane):/.test(key)) : bounds;
  const parts = own.flatMap(([key, window, bound]) =>
    bound === undefined
      ? []
      : budgetBoundParts(bound).map((part) => ({ key: `${key}:${part.measure}`, window, ...part })),
  );
  if (parts.length === 0) return [];
  const { tokens, usd } = worst();
  if (usd === null && parts.some((part) => part.measure === 'usd')) return null;
  const amounts = { tokens, usd: Math.ceil((usd ?? 0) * MICROS) };
  return parts.map((part) => ({ ...part, amount: amounts[part.measure] }));
}

/** Returns the configured budgets of today. `case:*` is the limit per case. */
export function configuredBudgets(
  settings: BudgetSettings,
  now: number,
): Pick<Reservation, 'key' | 'window' | 'measure' | 'limit'>[] {
  const today = dayOfTime(now);
  const bounds: Bound[] = [
    ['day', today, settings.day],
    ...Object.entries(settings.lane).map(([lane, it]): Bound => [`lane:${lane}`, today, it]),
    ...Object.entries(settings.playbook).map(([playbook, it]): Bound => [`playbook:${playbook}`, today, it]),
    ['case:*', 'all', settings.case],
  ];
  return bounds.flatMap(([key, window, bound]) =>
    bound === undefined
      ? []
      : budgetBoundParts(bound).map(({ measure, limit }) => ({
          key: `${key}:${measure}`,
          window,
          measure,
          limit,
        })),
  );
}

const dayOfTime = (now: number): string => new Date(now).toISOString().slice(0, 10);

function budgetBoundParts({
  usd,
  tokens,
  soft,
}: BudgetBound): Pick<Reservation, 'measure' | 'limit' | 'softAt'>[] {
  const part = (measure: BudgetMeasure, limit: number) => ({
    measure,
    limit,
    softAt: Math.ceil(limit * soft),
  });
  return [
    ...(tokens === undefined ? [] : [part('tokens', tokens)]),
    ...(usd === undefined ? [] : [part('usd', Math.floor(usd * MICROS))]),
  ];
}

/**
 * Returns the charge of a call. If its usage is unknown because the call was cut off or the provider did not
 * report it, the worst case is charged. A call refused before any work costs nothing. Tokens are counted by
 * `countedTokens`, and the cost rises in proportion if that count exceeds the provider's.
 */
export function resultCharge(
  result: InteractionResult,
  request: Pick<ModelRequest, 'messages' | 'tools'>,
): Charge {
  const { usage, costUsd, state, errorCode, content, toolCalls, reasoningContent } = result;
  if (state === 'failed' && reasonOf(errorCode ?? '').free === true) return { usd: 0, tokens: 0 };
  const reportedTokens = usage.inputTokens + usage.outputTokens;
  if (reportedTokens === 0)
    return { usd: costUsd === null ? null : Math.ceil(costUsd * MICROS), tokens: null };
  const { input, output } = countedTokens(request, {
    content,
    toolCalls,
    reasoning: reasoningContent,
    usage,
  });
  const tokens = input + output;
  return { usd: costUsd === null ? null : Math.ceil(((costUsd * tokens) / reportedTokens) * MICROS), tokens };
}
