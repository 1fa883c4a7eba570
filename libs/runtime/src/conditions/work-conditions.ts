import { reasonInWords, type BudgetFigures, type Condition } from '@casefile/contracts';
import type { ConditionFacts, ConditionRule } from './condition-facts.js';

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
        link: '/operate#flow',
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
        act: 'Fix the cause, then redrive them in the Inbox, or drop them. See casefile dead-letters list.',
        link: '/inbox?type=letter',
      }),
    ];
  },
};

const providerId = (name: string) => ({ id: `provider_out.${name}`, severity: 'error' as const });

/**
 * The circuit of a provider is not closed: the provider is not called, or one call probes it. While it is
 * probed the condition lasts, because a failed probe would otherwise begin a new condition.
 */
export const providerOut: ConditionRule = {
  ids: ({ providers }) => providers.map(providerId),
  reads: ['pipeline'],
  holding: ({ work }) =>
    (work?.pipeline?.providers ?? [])
      .filter(({ state }) => state !== 'closed')
      .map(({ provider, reasonCode }) =>
        condition(providerId(provider).id, 'error', null, {
          text: `The provider is not available: ${provider}${reasonCode === null ? '' : ` (${providerReason(reasonCode)})`}`,
          effect: 'Its cases wait, or are judged by a fallback provider or by rules and marked degraded.',
          act: 'Check its key and its status page. Then choose Try now under Providers and budgets.',
          link: '/operate/cost#providers',
        }),
      ),
};

// The words of reasons speak of a call: "its provider failed".
function providerReason(code: string): string {
  return reasonInWords(code).replace(/^its provider/, 'it');
}

const budgetLink = '/settings?q=budgets';

/** A budget of all work is nearly used. */
export const budgetNearlyUsed: ConditionRule = {
  ids: ({ budgets }) => budgets.map((name) => ({ id: `budget_nearly_used.${name}`, severity: 'warning' })),
  reads: ['pipeline'],
  holding: (facts) =>
    currentBudgets(facts)
      .filter(({ share }) => share >= NEARLY && share < 1)
      .map(({ name, share }) =>
        condition(`budget_nearly_used.${name}`, 'warning', null, {
          text: `Budget nearly used: budgets.${name} ${Math.floor(share * 100)} %`,
          effect: 'When it is used up, models are not called in its time: rules decide, or runs wait.',
          act: `Raise the setting budgets.${name} and restart the services, or let rules decide until the budget begins again. Daily budgets begin at 00:00 UTC.`,
          link: budgetLink,
        }),
      ),
};

/** A budget of all work is completely used. */
export const budgetUsed: ConditionRule = {
  ids: ({ budgets }) => budgets.map((name) => ({ id: `budget_used.${name}`, severity: 'error' })),
  reads: ['pipeline'],
  holding: (facts) =>
    currentBudgets(facts)
      .filter(({ share }) => share >= 1)
      .map(({ name, share }) =>
        condition(`budget_used.${name}`, 'error', null, {
          text: `Budget used up: budgets.${name} ${Math.floor(share * 100)} %`,
          effect: 'Its models are not called: rules decide, or runs wait until the budget begins again.',
          act: `Raise the setting budgets.${name} and restart the services, or wait. Daily budgets begin at 00:00 UTC.`,
          link: budgetLink,
        }),
      ),
};

// A budget of an earlier day stays on the record and limits nothing.
function currentBudgets({ work, now }: ConditionFacts): { name: string; share: number }[] {
  const today = new Date(now).toISOString().slice(0, 10);
  return (work?.pipeline?.budgets ?? [])
    .filter(({ key, window }) => isOfAllWork(key) && (window === 'all' || window === today))
    .map((budget) => ({ name: budgetName(budget.key), share: usedShare(budget) }));
}

/** Returns whether a budget limits more than one case or batch. */
export function isOfAllWork(key: string): boolean {
  return !/^(?:case|batch):/.test(key);
}

/** Returns the name of a budget in the settings: the key `lane:bulk:usd` is limited by `budgets.lane.bulk.usd`. */
export function budgetName(key: string): string {
  return key.replaceAll(':', '.');
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
        effect: 'Budgets in dollars and the page Providers and cost leave these calls out.',
        act: 'Set the prices of the model in the settings, section providers.',
        link: '/operate/cost',
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
        act: 'Answer them in the Inbox, the oldest first, or change reviews.answerWithinHours.',
        link: '/inbox?type=review',
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
