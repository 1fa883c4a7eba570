import { setTimeout as sleep } from 'node:timers/promises';
import { EngineCounters, type IdleCounts } from '@casefile/e2e/testing/idle-counts';
import { fiveServices } from '@casefile/e2e/testing/five-services';
import type { ServiceName } from '@casefile/runtime';
import { Redis } from 'ioredis';
import { query, statementCounts, withCountedEngines } from '../counted/engines.js';

/** Time after the start in which processes still do what they do once. Milliseconds. */
const SETTLES_MS = 15_000;

export interface IdleFigures extends IdleCounts {
  /** Statements of Postgres per second. */
  statements: number;
  /** Statements per second by text, most frequent first. */
  byStatement: [text: string, perSecond: number][];
  /** Commands per second by name, client (`script` or `client`) and key, most frequent first. */
  byKey: [what: string, perSecond: number][];
}

/**
 * Starts services on a Redis and a Postgres of their own, gives them nothing to do, and counts what they ask.
 * @param services As in `fiveServices`.
 */
export function measureIdle(
  services: readonly ServiceName[] | 'one process',
  seconds: number,
): Promise<IdleFigures> {
  return withCountedEngines(async ({ databaseUrl, redisUrl }) => {
    const running = await fiveServices({ databaseUrl, queueUrl: redisUrl, services });
    const counters = await EngineCounters.open(redisUrl, databaseUrl);
    try {
      await running.start();
      await sleep(SETTLES_MS);
      await query(databaseUrl, 'select pg_stat_statements_reset()');
      const counts = await counters.during(() => sleep(seconds * 1000));
      const byStatement = (await statementCounts(databaseUrl)).map(({ text, calls }): [string, number] => [
        text,
        calls / counts.seconds,
      ]);
      const byKey = await monitored(redisUrl, seconds);
      const sum = byStatement.reduce((all, [, calls]) => all + calls, 0);
      return { ...counts, statements: sum, byStatement, byKey };
    } finally {
      await counters.close();
      await running.close();
    }
  });
}

/** Counts commands by their key, as MONITOR shows them. */
async function monitored(redisUrl: string, seconds: number): Promise<[string, number][]> {
  const client = new Redis(redisUrl);
  const monitor = await client.monitor();
  const counts = new Map<string, number>();
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    const [name = '', ...rest] = args;
    const key = /^evalsha$/i.test(name) ? rest[2] : rest[0];
    const what = `${source === 'lua' ? 'script' : 'client'} ${name.toLowerCase()} ${key ?? ''}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  });
  await sleep(seconds * 1000);
  monitor.disconnect();
  client.disconnect();
  return [...counts]
    .map(([what, calls]): [string, number] => [what, calls / seconds])
    .toSorted(([, a], [, b]) => b - a);
}
