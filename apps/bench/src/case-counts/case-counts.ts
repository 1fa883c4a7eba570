import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineCounters } from '@casefile/e2e/testing/idle-counts';
import { fiveServices, type FiveServices } from '@casefile/e2e/testing/five-services';
import type { ServiceName } from '@casefile/runtime';
import { Redis } from 'ioredis';
import { query, statementCounts, withCountedEngines, type StatementCount } from '../counted/engines.js';
import { readVerdicts, submitInBatches } from '../ratios/five-processes.js';
import { closedLoop } from '../ratios/rows.js';

export interface CaseCounts {
  cases: number;
  perSecond: number;
  /** Per case: statements without transaction control, transactions, Redis commands with those within scripts. */
  statements: number;
  commits: number;
  commands: number;
  /** Milliseconds of execution of the statements, per case. */
  executionMs: number;
  /** Milliseconds of processor time per case. */
  nodeMs: number;
  postgresMs: number;
  redisMs: number;
  /** Per case, most expensive first. */
  byStatement: StatementCount[];
  byCommand: [name: string, count: number][];
}

export interface CountedCases {
  /** As in `fiveServices`. */
  services: readonly ServiceName[] | 'one process';
  /** Whether each case asks the simulated model over HTTP, or is judged by rules. */
  model: boolean;
  cases: number;
}

/** Pause in which writes behind the verdict end. Milliseconds. */
const SETTLES_MS = 3_000;

/**
 * Counts what a scam verdict asks of Postgres and Redis. Arrays of up to 50 alerts are sent by HTTP, with 100 cases in
 * progress. The counts contain the work of the services that does not depend on cases.
 */
export function countCases({ services, model, cases }: CountedCases): Promise<CaseCounts> {
  return withCountedEngines(async ({ databaseUrl, redisUrl, folder }) => {
    const system = await fiveServices({
      databaseUrl,
      queueUrl: redisUrl,
      services,
      env: () => ({ LOG_LEVEL: 'error', ...(model ? {} : { LLM_PROVIDER: 'none' }) }),
    });
    const counters = await EngineCounters.open(redisUrl, databaseUrl);
    const redis = new Redis(redisUrl);
    const verdicts = readVerdicts(redisUrl);
    try {
      await system.start();
      const submit = submitInBatches(system.service('ingest').url);
      const judging = { judge: async (i: number) => verdicts.of(await submit(i)) };
      await closedLoop(judging, cases);
      await sleep(SETTLES_MS);
      await query(databaseUrl, 'select pg_stat_statements_reset()');
      const before = await processorTimes(system, folder, redis);
      let perSecond = 0;
      const counts = await counters.during(async () => {
        perSecond = await closedLoop(judging, cases, 1_000_000);
        await sleep(SETTLES_MS);
      });
      const after = await processorTimes(system, folder, redis);
      const ms = (part: keyof ProcessorTimes) => (after[part] - before[part]) / cases;
      const share = counts.seconds / cases;
      const byStatement = (await statementCounts(databaseUrl))
        .map(({ text, calls, ms: total }) => ({ text, calls: calls / cases, ms: total / cases }))
        .toSorted((a, b) => b.ms - a.ms);
      return {
        cases,
        perSecond,
        statements: byStatement.reduce((sum, { calls }) => sum + calls, 0),
        commits: counts.commits * share,
        commands: counts.commands * share,
        executionMs: byStatement.reduce((sum, one) => sum + one.ms, 0),
        nodeMs: ms('node'),
        postgresMs: ms('postgres'),
        redisMs: ms('redis'),
        byStatement,
        byCommand: counts.byCommand.map(([name, count]) => [name, count * share]),
      };
    } finally {
      await verdicts.close();
      redis.disconnect();
      await counters.close();
      await system.close();
    }
  });
}

/** Milliseconds of processor time since the start. */
interface ProcessorTimes {
  node: number;
  postgres: number;
  redis: number;
}

async function processorTimes(system: FiveServices, folder: string, redis: Redis): Promise<ProcessorTimes> {
  const pids = new Set(system.services.flatMap(({ pid }) => pid ?? []));
  const node = [...pids].reduce((sum, pid) => sum + timesOf(pid).own, 0);
  const [postmaster = ''] = readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const { own, ofEnded } = timesOf(Number(postmaster));
  const children = childrenOf(Number(postmaster)).reduce((sum, pid) => sum + timesOf(pid).own, 0);
  const seconds = [...(await redis.info('cpu')).matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)];
  return {
    node,
    postgres: own + ofEnded + children,
    redis: seconds.reduce((sum, [, value]) => sum + Number(value) * 1000, 0),
  };
}

/** Length of a tick in `/proc/PID/stat`, in milliseconds: USER_HZ is 100 on Linux. */
const TICK_MS = 10;

/** Returns milliseconds of user and system time of a process, and of its ended children (proc_pid_stat(5)). */
function timesOf(pid: number): { own: number; ofEnded: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = (place: number) => (fields[place - 3] ?? 0) * TICK_MS;
  return { own: ticks(14) + ticks(15), ofEnded: ticks(16) + ticks(17) };
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        // The process ended meanwhile.
        return false;
      }
    });
}
