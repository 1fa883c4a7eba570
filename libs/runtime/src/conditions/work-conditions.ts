import { reasonInWords, type BudgetFigures, type Condition } from '@casefile/contracts';
import type { ConditionRule } from './condition-facts.js';

/** Age of a waiting live job from which its queue counts as stuck, in milliseconds. */
const OLD_MS = 120_000;
/** Share of a budget from which it counts as nearly used, from 0 to 1. */
const NEARLY = 0.8;
/** Free space below which the disk of the embedded database counts as low. */
const LOW_BYTES = 2 * 1024 ** 3;

const condition = (
  id: string,
  severity: Condition['severity'],
  since: string | null,
  words: Pick<Condition, 'text' | 'effect' | 'act'> & { link?: string },
): Condition => ({ link: '/', ...words, id, severity, since });

/**
 * A live job waits longer than work usually takes: no worker fetches it, or work arrives faster than it is
 * done.
 */
export const queueOld: ConditionRule = {
  ids: () => [{ id: 'queue_old', severity: 'warning' }],
  reads: ['pipeline', 'queue depths'],
  holding: ({ work }) => {
    const pipeline = work?.pipeline ?? null;
    if (pipeline === null) return [];
    // Ages are those of the time at which the view was read.
    const readAt = Date.parse(pipeline.at);
    const topics = [
      ...pipeline.stages.map(({ stage, lanes }) => ({ name: stage, lanes })),
      ...pipeline.tools.map(({ tool, lanes }) => ({ name: tool, lanes })),
    ];
    const old = topics.flatMap(({ name, lanes }) => {
      const live = lanes.find(({ lane }) => lane === 'live');
      const ageMs = live?.oldestAgeMs ?? 0;
      return ageMs > OLD_MS ? [{ name, ageMs, waiting: live?.waiting ?? 0 }] : [];
    });
    const [oldest] = [...old].sort((a, b) => b.ageMs - a.ageMs);
    if (oldest === undefined) return [];
    const queueNames = old.map(({ name, waiting }) => `${name} (${waiting})`).join(', ');
    return [
      condition('queue_old', 'warning', new Date(readAt - oldest.ageMs).toISOString(), {
        text: `Live work waits for more than ${OLD_MS / 60_000} minutes: ${queueNames}`,
        effect: 'Verdicts come late; nothing is lost.',
        act: 'Check that the service of the stage runs and that its provider or tool answers, then add workers.',
        link: '/#flow',
      }),
    ];
  },
};

/** Maximum number of reasons that one condition names. */
const MOST_NAMED = 3;

/** Work that needs an operator. */
export const deadLettersWait: ConditionRule = {
  ids: () => [{ id: 'dead_letters', severity: 'warning' }],
  reads: ['pipeline'],
  holding: ({ work }) => {
    const count = work?.pipeline?.deadLetters ?? 0;
    if (count === 0) return [];
    const reasons = (work?.letters ?? []).map(({ reasonCode, count: n }) =>
      n === count ? reasonInWords(reasonCode) : `${reasonInWords(reasonCode)} (${n})`,
    );
    const oldest = (work?.letters ?? []).map(({ oldestAt }) => oldestAt).sort()[0] ?? null;
    const waits = count === 1 ? '1 dead letter waits' : `${count} dead letters wait`;
    return [
      condition('dead_letters', 'warning', oldest, {
        text: reasons.length === 0 ? waits : `${waits}: ${reasons.slice(0, MOST_NAMED).join(', ')}`,
        effect: 'Their cases have no verdict until they are redriven or dropped.',
        act: 'Fix the cause, then redrive them on the page Dead letters, or drop them. See casefile dead-letters list.',
        link: '/dead-letters',
      }),
    ];
  },
};

/**
 * The circuit of a provider is not closed: the provider is not called, or one call probes it. While it is
 * probed the condition lasts, because a failed probe would otherwise begin a new condition.
 */
export const providerOut: ConditionRule = {
  ids: () => [{ id: 'provider_out', severity: 'error' }],
  reads: ['pipeline'],
  holding: ({ work }) => {
    const open = (work?.pipeline?.providers ?? []).filter(({ state }) => state !== 'closed');
    if (open.length === 0) return [];
    const providerNames = open.map(({ provider, reasonCode }) =>
      reasonCode === null ? provider : `${provider} (${providerReason(reasonCode)})`,
    );
    return [
      condition('provider_out', 'error', null, {
        text: `${providerNames.length === 1 ? 'The provider is' : 'Providers are'} not available: ${providerNames.join(', ')}`,
        effect: 'Its cases wait, or are judged by a fallback provider or by rules and marked degraded.',
        act: 'Check its key and its status page. Then choose Try now under Providers and budgets.',
        link: '/#providers',
      }),
    ];
  },
};

// The words of reasons speak of a call: "its provider failed".
function providerReason(code: string): string {
  return reasonInWords(code).replace(/^its provider/, 'it');
}

/** A budget of all work is nearly or completely used. */
export const budgetNearlyUsed: ConditionRule = {
  ids: () => [{ id: 'budget_nearly_used', severity: 'warning' }],
  reads: ['pipeline'],
  holding: ({ work, now }) => {
    const today = new Date(now).toISOString().slice(0, 10);
    const nearly = (work?.pipeline?.budgets ?? []).filter(
      (budget) => isOfAllWork(budget) && isCurrent(budget, today) && usedShare(budget) >= NEARLY,
    );
    if (nearly.length === 0) return [];
    const budgetTexts = nearly.map(
      (budget) => `${settingName(budget)} ${Math.floor(usedShare(budget) * 100)} %`,
    );
    const isFull = nearly.some((budget) => usedShare(budget) >= 1);
    return [
      condition('budget_nearly_used', 'warning', null, {
        text: `${isFull ? 'Budget used up' : 'Budget nearly used'}: ${budgetTexts.join(', ')}`,
        effect: 'When a budget is used up, models are not called in its time: rules decide, or runs wait.',
        act: 'Raise the setting budgets and restart the services, or let rules decide until the budget begins again. Daily budgets begin at 00:00 UTC.',
        link: '/configuration?q=budgets',
      }),
    ];
  },
};

function isOfAllWork({ key }: BudgetFigures): boolean {
  return !/^(?:case|batch):/.test(key);
}

// A budget of an earlier day stays on the record and limits nothing.
function isCurrent({ window }: BudgetFigures, today: string): boolean {
  return window === 'all' || window === today;
}

// The key `lane:bulk:usd` is limited by the setting `budgets.lane.bulk.usd`.
function settingName({ key }: BudgetFigures): string {
  return `budgets.${key.replaceAll(':', '.')}`;
}

function usedShare({ limit, spent, reserved }: BudgetFigures): number {
  return limit <= 0 ? 0 : (spent + reserved) / limit;
}

/** Calls of a model have no known price, so neither budgets nor figures count their cost. */
export const providerUnpriced: ConditionRule = {
  ids: () => [{ id: 'provider_unpriced', severity: 'warning' }],
  reads: ['prices'],
  holding: ({ work }) => {
    const unpriced = work?.unpriced ?? [];
    if (unpriced.length === 0) return [];
    const providerNames = unpriced.map(({ provider, calls }) => `${provider} (${calls})`).join(', ');
    return [
      condition('provider_unpriced', 'warning', null, {
        text: `Calls of the last day without a price: ${providerNames}`,
        effect: 'Budgets in dollars and the page Cost leave these calls out.',
        act: 'Set the prices of the model in the settings, section providers.',
        link: '/cost',
      }),
    ];
  },
};

/** Verdicts wait for a person for longer than the settings allow. S4-59. */
export const reviewsOverdue: ConditionRule = {
  ids: () => [{ id: 'reviews_overdue', severity: 'warning' }],
  reads: ['reviews'],
  holding: ({ work }) => {
    const late = (work?.reviews ?? []).filter(({ overdue }) => overdue > 0);
    if (late.length === 0) return [];
    const kindTexts = late.map(({ playbook, overdue }) => `${overdue} ${playbook}`).join(', ');
    const count = late.reduce((sum, { overdue }) => sum + overdue, 0);
    return [
      condition('reviews_overdue', 'warning', null, {
        text: `${count === 1 ? '1 verdict waits' : `${count} verdicts wait`} for a person for longer than allowed: ${kindTexts}`,
        effect: 'Nothing acts on these cases until a person answers.',
        act: 'Answer them on the page Review, the oldest first, or change reviews.answerWithinHours.',
        link: '/review',
      }),
    ];
  },
};

/** The disk of the embedded database is nearly full. */
export const diskLow: ConditionRule = {
  ids: () => [{ id: 'disk_low', severity: 'error' }],
  reads: ['disk'],
  holding: ({ work }) => {
    const disk = work?.disk ?? null;
    if (disk === null || disk.freeBytes >= LOW_BYTES) return [];
    const free = (disk.freeBytes / 1024 ** 3).toFixed(1);
    return [
      condition('disk_low', 'error', null, {
        text: `The disk of the embedded database has ${free} GiB free`,
        effect: 'When it is full, no alert is accepted and no case continues.',
        act: `Free space on the disk of ${disk.path}, or move the folder to a larger one (CASEFILE_DATA).`,
      }),
    ];
  },
};
