import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { VerdictMessage } from '@casefile/contracts';
import { fiveServices } from '@casefile/e2e/testing/five-services';
import { alertOf, type Spine } from './spine.js';

/** Alerts per request, as a sender with many alerts has them. */
const MOST_A_REQUEST = 50;

/**
 * Starts the five services as separate processes, with a simulated model over HTTP that answers immediately.
 * Alerts are sent by HTTP, and verdicts are read from their queue. Sender, reader and model share this
 * process.
 */
export async function startFiveProcesses(
  databaseUrl: string,
  redisUrl: string,
  dir: string,
): Promise<Pick<Spine, 'judge' | 'stop'>> {
  const system = await fiveServices({
    databaseUrl,
    queueUrl: redisUrl,
    folder: dir,
    env: () => ({ RDAP_BASE_URL: 'off', LOG_LEVEL: 'error' }),
  });
  await system.start();
  const verdicts = readVerdicts(redisUrl);
  const submit = submitInBatches(system.service('ingest').url);
  return {
    judge: async (i) => verdicts.of(await submit(i)),
    stop: async () => {
      await verdicts.close();
      await system.stop();
      await system.close();
    },
  };
}

/** Reads verdicts from their queue. */
export function readVerdicts(redisUrl: string) {
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const worker = new Worker<VerdictMessage>(
    'verdicts',
    async ({ data }) => {
      const resolve = waiting.get(data.runId);
      if (resolve === undefined) early.add(data.runId);
      else resolve();
      waiting.delete(data.runId);
    },
    { connection, concurrency: 50 },
  );
  return {
    of: (runId: string): Promise<void> =>
      early.delete(runId) ? Promise.resolve() : new Promise((resolve) => waiting.set(runId, resolve)),
    close: async () => {
      await worker.close();
      connection.disconnect();
    },
  };
}

/** Sends all alerts that wait when a request returns as one batch. Resolves with the id of the run. */
export function submitInBatches(url: string): (i: number) => Promise<string> {
  let waiting: { i: number; resolve(runId: string): void; reject(error: unknown): void }[] = [];
  let sending = false;
  const pump = async (): Promise<void> => {
    if (sending || waiting.length === 0) return;
    sending = true;
    const batch = waiting.slice(0, MOST_A_REQUEST);
    waiting = waiting.slice(MOST_A_REQUEST);
    try {
      const ids = await post(
        url,
        batch.map(({ i }) => alertOf(i)),
      );
      batch.forEach(({ resolve }, at) => resolve(ids[at] ?? ''));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    }
    sending = false;
    void pump();
  };
  return (i) =>
    new Promise((resolve, reject) => {
      waiting.push({ i, resolve, reject });
      void pump();
    });
}

async function post(url: string, alerts: object[]): Promise<string[]> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/alerts`, { method: 'POST', headers, body: JSON.stringify(alerts) });
  const { results } = (await answer.json()) as { results: { runId?: string; problem?: unknown }[] };
  return results.map(({ runId, problem }) => {
    if (runId === undefined) throw new Error(`an alert was not taken: ${JSON.stringify(problem)}`);
    return runId;
  });
}
