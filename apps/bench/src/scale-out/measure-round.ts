import { setTimeout as pause } from 'node:timers/promises';
import { countRecord } from '@casefile/e2e/fault-run/count-record';
import { emptyQueue } from '@casefile/e2e/fault-run/empty-queue';
import { fiveServices } from '@casefile/e2e/testing/five-services';
import { PATIENT } from '@casefile/e2e/testing/patient-settings';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import type { ServiceName } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { chargedTokens, readFurtherCalls, type FurtherCalls } from './further-calls.js';
import { processorMs } from './processor-time.js';

const WORKERS: readonly ServiceName[] = ['evidence-collector', 'reasoner', 'critic-writer', 'decision'];
/** Alerts per request, and unfinished runs up to which more are sent. */
const AT_ONCE = 50;
const IN_PROGRESS = 200;
/** Cases before the measurement, since a new process has compiled little of its code. */
const WARM_UP = 400;
const WITHIN_MS = 600_000;

export interface RoundOptions {
  redisUrl: string;
  serverPids: { postgres: number; redis: number };
  /** Instances of each worker service. Intake has one. */
  instances: number;
  cases: number;
  modelMs: number;
  /** Calls of the provider at a time, as a limit that all workers share. */
  concurrency: number;
  /** Time in ms for which one reasoner is stopped by SIGSTOP during the measurement; 0: not at all. */
  standStillMs: number;
}

export interface RoundFigures extends FurtherCalls {
  instances: number;
  cases: number;
  decided: number;
  casesPerSecond: number;
  /** Runs with several verdicts, and steps with several recorded answers. */
  twice: number;
  /** Most calls of the provider at the same time. */
  mostInFlight: number;
  /**
   * Tokens on the record of calls, with the worst case of interrupted ones; tokens that the budget has counted;
   * and reservations that are left.
   */
  charged: number;
  spent: number;
  reservedLeft: number;
  /** Milliseconds of processor time per case, of all processes of a service and of the servers. */
  processorMs: Record<string, number>;
}

/** Judges cases with so many instances of each worker service, on a record of its own. */
export async function measureRound(options: RoundOptions): Promise<RoundFigures> {
  const { redisUrl, instances, cases, modelMs, concurrency, serverPids } = options;
  const database = await testDatabase();
  await emptyQueue(redisUrl);
  const workers = WORKERS.flatMap((name) => Array.from({ length: instances }, () => name));
  const system = await fiveServices({
    services: ['ingest', ...workers],
    databaseUrl: database.url,
    queueUrl: redisUrl,
    script: { delayMs: modelMs },
    settings: {
      ...PATIENT,
      calls: { probeAtStart: false },
      providers: { simulator: { limits: { concurrency } } },
      budgets: { day: { tokens: 1_000_000_000, soft: 0.9 } },
    },
    env: () => ({ LOG_LEVEL: 'error' }),
  });
  try {
    await system.start();
    const url = system.service('ingest').url;
    await judge(url, database.url, 'warm-up', WARM_UP);
    const times = (): Record<string, number> => {
      const sums: Record<string, number> = {};
      for (const { name, pid } of system.services) sums[name] = (sums[name] ?? 0) + processorMs(pid ?? 0);
      for (const [name, pid] of Object.entries(serverPids)) sums[name] = processorMs(pid);
      return sums;
    };
    const before = times();
    const judging = judge(url, database.url, 'measured', cases);
    if (options.standStillMs > 0) await standStill(system.service('reasoner').pid ?? 0, options.standStillMs);
    const seconds = await judging;
    const after = times();
    const spentMs = Object.entries(after).map(([name, ms]) => [
      name,
      round((ms - (before[name] ?? 0)) / cases),
    ]);
    const counts = await countRecord(database.url);
    const { byKey, mostInFlight } = system.simulator.calls();
    const [day] = await system.store.budgets.states(10);
    return {
      instances,
      cases,
      decided: counts.decided - WARM_UP,
      casesPerSecond: round(cases / seconds),
      twice: counts.verdictsTwice + counts.answeredTwice,
      ...(await readFurtherCalls(database.url, byKey)),
      mostInFlight,
      charged: await chargedTokens(database.url),
      spent: day?.spent ?? -1,
      reservedLeft: day?.reserved ?? -1,
      processorMs: Object.fromEntries(spentMs) as Record<string, number>,
    };
  } finally {
    await system.stop();
    await system.close();
    await database.drop();
  }
}

/** Stops a process while it works, as a machine does that gives it no processor time. */
async function standStill(pid: number, ms: number): Promise<void> {
  await pause(2_000);
  process.kill(pid, 'SIGSTOP');
  await pause(ms);
  process.kill(pid, 'SIGCONT');
}

/** Posts alerts while fewer than a limit are unfinished. Returns the seconds until all are decided. */
async function judge(url: string, databaseUrl: string, name: string, count: number): Promise<number> {
  const unfinished = async (): Promise<number> => {
    const [row] = await rowsIn(databaseUrl, `select count(*)::int as n from runs where status = 'due'`);
    return Number(row?.['n']);
  };
  const began = performance.now();
  for (let from = 0; from < count; from += AT_ONCE) {
    while ((await unfinished()) > IN_PROGRESS) await pause(10);
    const alerts = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => ({
      playbook: 'scam-verdict',
      text: `Case ${name} ${from + i}: pay the fee at http://${name}-${from + i}.example now`,
      source: name,
      collect: false,
    }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/alerts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(alerts),
    });
    if (response.status !== 202) throw new Error(`intake answered ${response.status}`);
  }
  const until = performance.now() + WITHIN_MS;
  while ((await unfinished()) > 0 && performance.now() < until) await pause(25);
  return (performance.now() - began) / 1000;
}

const round = (value: number): number => Math.round(value * 100) / 100;
