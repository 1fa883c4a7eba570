import { CasefileError, messageWithoutValues, type Condition } from '@casefile/contracts';
import type { ConditionRule, FailedSource } from './condition-facts.js';
import type { Outage } from './store-watch.js';

const QUEUE_OUT = { id: 'queue_out', severity: 'error' as const };
const STORE_OUT = { id: 'store_out', severity: 'error' as const };

const QUEUE_AWAY = {
  effect:
    'Alerts are accepted over HTTP and judged later; nothing is lost. The depths of queues are not known.',
  act: 'Start the server of QUEUE_URL, or correct the URL or its password. Work continues when the server answers.',
};
const QUEUE_UNUSABLE = {
  effect:
    'Senders get 503 and have to send their alerts again. No case continues; nothing that was accepted is lost.',
  act: 'Correct QUEUE_URL or the server as the first sentence says. Work continues when the queues can be used.',
};

/** Returns the condition of a queue store that cannot be used. */
export function queueOutCondition({ since, why, reasonCode }: Outage): Condition {
  const isUnusable = reasonCode === 'queue_unusable';
  return { ...QUEUE_OUT, since, text: why, ...(isUnusable ? QUEUE_UNUSABLE : QUEUE_AWAY), link: '/' };
}

const NO_WRITES =
  'Senders get 503 and have to send their alerts again. No case continues, and no act of a person is recorded; nothing that was accepted is lost. What is on the record can be read.';
/** Outages in which the database still answers questions, by SQLSTATE. */
const TAKES_NO_WRITES: Readonly<Record<string, { effect: string; act: string }>> = {
  '53100': {
    effect: NO_WRITES,
    act: 'Free space on the disk of the database of DATABASE_URL, or move its data to a larger disk. Work continues when the database takes writes.',
  },
  '25006': {
    effect: NO_WRITES,
    act: 'Point DATABASE_URL at the primary, or switch default_transaction_read_only off. Work continues when the database takes writes.',
  },
};
const NO_ANSWER = {
  effect:
    'Senders get 503 and have to send their alerts again. No case continues, and the console shows no cases; nothing that was accepted is lost.',
  act: 'Start the database of DATABASE_URL, or correct the URL or its password. Work continues when the database answers.',
};

/** Returns the condition of a database that cannot be used. It holds no data of the record. */
export function storeOutCondition({ since, why, sqlState }: StoreOutage): Condition {
  return { ...STORE_OUT, since, text: why, ...(TAKES_NO_WRITES[sqlState ?? ''] ?? NO_ANSWER), link: '/' };
}

type StoreOutage = Pick<Outage, 'why' | 'sqlState'> & { since: string | null };

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

const QUEUE_EVICTS = { id: 'queue_evicts', severity: 'error' as const };

/** The queue store deletes keys when its memory is full. */
export const queueEvicts: ConditionRule = {
  ids: () => [QUEUE_EVICTS],
  reads: [],
  holding: ({ evictionPolicy }) =>
    evictionPolicy === null
      ? []
      : [
          {
            ...QUEUE_EVICTS,
            since: null,
            text: `The queue store deletes keys when its memory is full (maxmemory-policy is ${evictionPolicy})`,
            effect:
              'Jobs can vanish in the middle of work. Cases continue when the sweeper finds them, up to a minute later.',
            act: 'Set maxmemory-policy to noeviction. Use another Redis for caches.',
            link: '/',
          },
        ],
};
