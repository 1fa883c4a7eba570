import type { ConditionRule } from './condition-facts.js';

const REPLICA_BEHIND = { id: 'replica_behind', severity: 'warning' as const };
/** Lag in ms from which people should know that lists are old. */
const SHOWN_LAG_MS = 10_000;

/** The replica of DATABASE_READ_URL is behind, or the primary is read in its place. */
export const replicaBehind: ConditionRule = {
  ids: () => [REPLICA_BEHIND],
  reads: [],
  holding: ({ replica }) => {
    if (replica === null) return [];
    const { lagMs, unusedBecause } = replica;
    if (unusedBecause === null && (lagMs ?? 0) < SHOWN_LAG_MS) return [];
    const seconds = Math.round((lagMs ?? 0) / 1_000);
    return [
      {
        ...REPLICA_BEHIND,
        since: null,
        text:
          unusedBecause === null
            ? `The replica of DATABASE_READ_URL is ${seconds} s behind`
            : `Lists, search and quality are read from the primary in place of the replica of DATABASE_READ_URL: ${unusedBecause}`,
        effect:
          unusedBecause === null
            ? `Lists, search and quality show the state of ${seconds} s ago. Pages of cases are current.`
            : 'The primary has more work. Nothing that is shown is out of date.',
        act: 'Read pg_stat_replication on the primary. Start the replica, or give it more resources.',
        link: '/',
      },
    ];
  },
};
