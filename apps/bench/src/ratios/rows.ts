import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { bareChain, type ChainStore } from './bare-chain.js';
import { startFiveProcesses } from './five-processes.js';
import { median, percentile, type Row } from './report.js';
import { startSpine, type Spine, type SpineParts } from './spine.js';

export interface Stores {
  /** Creates a separate database for each call. */
  newDatabase(): Promise<string>;
  redisUrl: string;
  chainOnRedis: ChainStore;
  chainOnPostgres: ChainStore;
}

const IN_FLIGHT = 100;

/** Runs a closed loop: `inFlight` cases at a time until `cases` are judged. Returns cases per second. */
export async function closedLoop(spine: Pick<Spine, 'judge'>, cases: number, offset = 0): Promise<number> {
  let next = 0;
  const from = performance.now();
  const worker = async () => {
    while (next < cases) await spine.judge(offset + next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return cases / ((performance.now() - from) / 1000);
}

export interface OneProcess {
  name: string;
  wanted: string;
  on: 'redis' | 'postgres';
  cases: number;
  /** Settings in addition to the shipped ones, as YAML. */
  settings?: string;
  parts?: SpineParts;
}

/** Measures durable cases per second with all services in one process, relative to the bare chain. */
export async function inOneProcess(stores: Stores, dir: string, row: OneProcess): Promise<Row[]> {
  const { name, wanted, on, cases, settings, parts } = row;
  const databaseUrl = await stores.newDatabase();
  const chain = on === 'redis' ? stores.chainOnRedis : stores.chainOnPostgres;
  const queueUrl = on === 'redis' ? stores.redisUrl : databaseUrl;
  const file = join(dir, 'settings.yaml');
  writeFileSync(file, settings ?? '{}');
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(), { CASEFILE_CONFIG: file }, parts);
  return throughput({ name, wanted, chain, spine, cases, warmUp: cases });
}

/**
 * Measures the same with each service in a separate process, alerts by HTTP and a simulated model over HTTP.
 */
export async function inFiveProcesses(stores: Stores, dir: string, cases: number): Promise<Row[]> {
  const spine = await startFiveProcesses(await stores.newDatabase(), stores.redisUrl, dir);
  const name = 'five processes, Redis + Postgres';
  // Each process runs only one or two of the six stages, so its code needs more cases to be compiled.
  const warmUp = 4 * cases;
  return throughput({ name, wanted: '>= 0.30', chain: stores.chainOnRedis, spine, cases, warmUp });
}

interface Race {
  name: string;
  wanted: string;
  chain: ChainStore;
  spine: Pick<Spine, 'judge' | 'stop'>;
  cases: number;
  /** Cases before the first that counts, because a process that runs for days has its code compiled. */
  warmUp: number;
}

/** Runs both alternately. Returns the median of the pairs. */
async function throughput({ name, wanted, chain, spine, cases, warmUp }: Race): Promise<Row[]> {
  try {
    await closedLoop(spine, warmUp);
    const pairs: { ours: number; bare: number }[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const bare = await bareChain(chain, cases, IN_FLIGHT);
      pairs.push({ bare, ours: await closedLoop(spine, cases, round * 1_000_000) });
    }
    const ours = median(pairs.map((pair) => pair.ours));
    const bare = median(pairs.map((pair) => pair.bare));
    const ratio = median(pairs.map((pair) => pair.ours / pair.bare));
    return [
      {
        name,
        figure: `${ours.toFixed(0)} cases/s, bare ${bare.toFixed(0)}`,
        ratio,
        wanted,
      },
    ];
  } finally {
    await spine.stop();
  }
}

/**
 * Measures the time from intake to verdict at one case per second. The model answers immediately, so only the
 * stages take time.
 */
export async function latency(stores: Stores, cases: number): Promise<Row[]> {
  const spine = await startSpine(await stores.newDatabase(), stores.redisUrl, instantModel());
  const took: number[] = [];
  try {
    for (let i = -3; i < cases; i += 1) {
      const from = performance.now();
      await spine.judge(i);
      const ms = performance.now() - from;
      if (i >= 0) took.push(ms);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - ms)));
    }
  } finally {
    await spine.stop();
  }
  const row = (p: number, limit: number): Row => {
    const ms = percentile(took, p);
    return {
      name: `stages' own time at 1 case/s, p${p}`,
      figure: `${ms.toFixed(1)} ms`,
      ratio: ms / limit,
      wanted: `<= ${limit} ms`,
    };
  };
  return [row(50, 25), row(99, 100)];
}

/** Measures the memory of the whole process with 2,000 cases that wait for a model that takes 5 s. */
export async function memory(stores: Stores): Promise<Row[]> {
  const spine = await startSpine(await stores.newDatabase(), stores.redisUrl, instantModel(4_000));
  try {
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => spine.submit(i)));
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    const mb = process.memoryUsage().rss / 1024 / 1024;
    return [
      {
        name: '2,000 cases waiting on a slow model, whole process',
        figure: `${mb.toFixed(0)} MB`,
        ratio: mb / 350,
        wanted: '<= 350 MB',
      },
    ];
  } finally {
    await spine.stop();
  }
}
