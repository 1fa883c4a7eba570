import { CasefileError, messageWithoutValues, type Condition } from '@casefile/contracts';
import type { ConditionRule, FailedSource } from './condition-facts.js';
import type { Outage } from './store-watch.js';

const QUEUE_OUT = { id: 'queue_out', severity: 'error' as const };
const STORE_OUT = { id: 'store_out', severity: 'error' as const };

/** Returns the condition of a queue store that cannot be used. */
export function queueOutCondition({ since, why }: Outage): Condition {
  return {
    ...QUEUE_OUT,
    since,
    text: why,
    effect:
      'Alerts are accepted over HTTP and judged later; nothing is lost. The depths of queues are not known.',
    act: 'Start the server of QUEUE_URL, or correct the URL or its password. Work continues when the server answers.',
    link: '/',
  };
}

/** Returns the condition of a database that cannot be used. It holds no data of the record. */
export function storeOutCondition({ since, why }: { since: string | null; why: string }): Condition {
  return {
    ...STORE_OUT,
    since,
    text: why,
    effect:
      'Senders get 503 and have to send their alerts again. No case continues, and the console shows no cases; nothing that was accepted is lost.',
    act: 'Start the database of DATABASE_URL, or correct the URL or its password. Work continues when the database answers.',
    link: '/',
  };
}

/** Returns the error of a request that needs a store: since when it is out, what still works, what to do. */
export function outageError({ id, text, since, effect, act }: Condition): CasefileError {
  const what = text.replace(/\.$/, '');
  const message = `${what}${since === null ? '' : ` (since ${since})`}. ${effect} ${act}`;
  const reasonCode = id === STORE_OUT.id ? 'store_unreachable' : 'queue_unavailable';
  return new CasefileError(reasonCode, message, { retryable: true });
}

/** The queue store cannot be used. */
export const queueOut: ConditionRule = {
  ids: () => [QUEUE_OUT],
  reads: [],
  holding: ({ queueOutage }) => (queueOutage === null ? [] : [queueOutCondition(queueOutage)]),
};

/** The database cannot be used, or failed twice in a row to answer the same question of conditions. */
export const storeOut: ConditionRule = {
  ids: () => [STORE_OUT],
  reads: [],
  holding: ({ storeOutage, failedSources }) => {
    if (storeOutage !== null) return [storeOutCondition(storeOutage)];
    const failed = failedSources.filter(({ isRepeated }) => isRepeated);
    return failed.length === 0 ? [] : [unreadCondition(failed)];
  },
};

function unreadCondition(failed: readonly FailedSource[]): Condition {
  const names = failed.map(({ name }) => name).join(', ');
  return {
    ...STORE_OUT,
    since: null,
    text: `The database did not answer in time about: ${names}`,
    effect: 'Conditions of these parts are shown as they were last read. All other conditions are current.',
    act: `Check the load of the database. The first error: ${messageWithoutValues(failed[0]?.error)}`,
    link: '/',
  };
}
