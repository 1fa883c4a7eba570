import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { consoleWith } from '@casefile/console/console';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { testEnvironment } from '@casefile/e2e/testing/world';
import { ingest } from '@casefile/ingest/ingest';
import { assemble, connect, createKey, readConfig, startService, OneModel } from '@casefile/runtime';
import { fillRecord } from '../fill-record/fill-record.js';
import type { GuardedRound } from './guard-client.js';
import { median, type Row } from './report.js';
import type { Stores } from './rows.js';
import { alertOf } from './spine.js';

const ROUNDS = 5;
/** Requests after which the other service takes its turn. */
const TURN = 50;
const WANTED = '<= 1.1';

/** Console and ingest on a database of their own. */
interface Guarded {
  console: string;
  ingest: string;
  /** Header with the key. Empty: the services require none. */
  headers: Record<string, string>;
  stop(): Promise<void>;
}

interface Measured {
  name: string;
  service: 'console' | 'ingest';
  method: 'GET' | 'POST';
  status: number;
  /** Returns the paths of a round, and bodies. */
  requests(round: number): { paths: string[]; bodies?: string[] };
}

/**
 * Measures the own time per request of services that require a key, with a valid key, relative to the same
 * services without keys on loopback. Own time is the processor time of the process with the services.
 * @param requests of each round.
 */
export async function guard(stores: Pick<Stores, 'newDatabase'>, requests: number): Promise<Row[]> {
  const client = fork(new URL('./guard-client.js', import.meta.url));
  const cases = (ROUNDS + 1) * requests;
  const open = await startGuarded(await stores.newDatabase(), cases, false);
  const keyed = await startGuarded(await stores.newDatabase(), cases, true);
  try {
    await once(client, 'message');
    const rows: Row[] = [];
    for (const measured of measurements(requests)) rows.push(await compare(client, open, keyed, measured));
    return rows;
  } finally {
    client.kill();
    await open.stop();
    await keyed.stop();
  }
}

const measurements = (requests: number): Measured[] => {
  const numbers = (round: number) => Array.from({ length: requests }, (_, i) => round * requests + i + 1);
  const list = Array.from({ length: requests }, () => '/api/v1/cases');
  return [
    {
      name: 'an alert at ingest',
      service: 'ingest',
      method: 'POST',
      status: 202,
      requests: (round) => ({
        paths: numbers(round).map(() => '/v1/alerts'),
        bodies: numbers(round).map((i) => JSON.stringify(alertOf(i))),
      }),
    },
    {
      name: 'a page of cases',
      service: 'console',
      method: 'GET',
      status: 200,
      requests: () => ({ paths: list }),
    },
    {
      name: 'a case that the key read in the last minute',
      service: 'console',
      method: 'GET',
      status: 200,
      requests: () => ({ paths: list.map((_, i) => `/api/v1/cases/${caseId(1 + (i % 20))}`) }),
    },
    {
      name: 'a case for the first time, with the event of the reading',
      service: 'console',
      method: 'GET',
      status: 200,
      requests: (round) => ({ paths: numbers(round).map((i) => `/api/v1/cases/${caseId(i)}`) }),
    },
  ];
};

/** Id of a case of a filled record. */
const caseId = (i: number): string => `01900000-0000-7000-8000-${i.toString(16).padStart(12, '0')}`;

async function startGuarded(databaseUrl: string, cases: number, keys: boolean): Promise<Guarded> {
  await fillRecord(databaseUrl, { cases, interactionsPerCase: 1 }, () => undefined);
  const env = testEnvironment({
    DATABASE_URL: databaseUrl,
    QUEUE_URL: databaseUrl,
    CASEFILE_DATA: temporaryFolder('guard'),
  });
  const { adapters, close } = await connect(readConfig(env, kinds), []);
  const platform = assemble({ ...adapters, models: new OneModel(null) });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (keys) {
    const ports = { keys: platform.store.keys, now: () => platform.clock.now() };
    const keyRequest = { name: 'bench', role: 'admin' as const, reason: '', by: 'bench' };
    const { key } = await createKey(ports, keyRequest, { actId: 'bench', by: 'bench', reason: '' });
    headers['authorization'] = `Bearer ${key}`;
  }
  const services = [
    await startService(consoleWith({ dashboard: '/nowhere' }), platform),
    await startService(ingest, platform),
  ] as const;
  return {
    console: services[0].url,
    ingest: services[1].url,
    headers,
    stop: async () => {
      for (const service of services) await service.close();
      await close();
    },
  };
}

/**
 * Runs both alternately, after a round that warms up the code. Returns the median of the rounds. Within a round both
 * take turns after a few requests, so that both meet the same machine.
 */
async function compare(
  client: ChildProcess,
  open: Guarded,
  keyed: Guarded,
  { name, service, method, status, requests }: Measured,
): Promise<Row> {
  const pairs: { open: number; keyed: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { paths, bodies = [] } = requests(round);
    const ms = new Map([
      [open, 0],
      [keyed, 0],
    ]);
    for (let from = 0; from < paths.length; from += TURN) {
      const turn = [from, from + TURN] as const;
      const part = { method, paths: paths.slice(...turn), bodies: bodies.slice(...turn), status };
      const order = (from / TURN + round) % 2 === 0 ? [open, keyed] : [keyed, open];
      for (const services of order)
        ms.set(
          services,
          (ms.get(services) ?? 0) +
            (await ownMs(client, { url: services[service], headers: services.headers, ...part })),
        );
    }
    const each = (services: Guarded) => (ms.get(services) ?? 0) / paths.length;
    if (round > 0) pairs.push({ open: each(open), keyed: each(keyed) });
  }
  const [without, withKey] = [
    median(pairs.map((pair) => pair.open)),
    median(pairs.map((pair) => pair.keyed)),
  ];
  const ratios = pairs.map((pair) => pair.keyed / pair.open);
  const spread = [...ratios].sort((a, b) => a - b).map((one) => one.toFixed(2));
  return {
    name: `own time with a key: ${name}`,
    figure: `${withKey.toFixed(3)} ms, without ${without.toFixed(3)} ms (ratios ${spread[0]} to ${spread.at(-1)})`,
    ratio: median(ratios),
    wanted: WANTED,
  };
}

/** Returns the processor time of this process for these requests. @throws Error if a request was refused. */
async function ownMs(client: ChildProcess, round: GuardedRound): Promise<number> {
  const before = process.cpuUsage();
  client.send(round);
  const [wrong] = (await once(client, 'message')) as [number];
  const { user, system } = process.cpuUsage(before);
  if (wrong > 0)
    throw new Error(`${wrong} of ${round.paths.length} requests had another status than ${round.status}`);
  return (user + system) / 1000;
}
