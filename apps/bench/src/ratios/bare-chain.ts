import { createPostgresBackend, Queue, Worker, type WorkerOptions } from 'bullmq';

/** A store for a bare chain: opens BullMQ queues and workers. */
export interface ChainStore {
  options: WorkerOptions;
  onPostgres: boolean;
}

const STAGES = 5;

/**
 * Baseline for all throughput figures: five BullMQ queues in a row. Their workers only add the job to the
 * next queue and record nothing. Runs a closed loop of `inFlight` cases.
 * @returns cases per second.
 */
export async function bareChain(store: ChainStore, cases: number, inFlight: number): Promise<number> {
  const prefix = `chain-${process.hrtime.bigint()}`;
  const names = Array.from({ length: STAGES }, (_, i) => `${prefix}-${i}`);
  const queues = names.map((name) => openQueue(name, store));
  let started = 0;
  let ended = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const next = async () => {
    if (started < cases) await queues[0]?.add('case', { id: (started += 1) });
  };
  const workers = names.map((name, i) =>
    openWorker(name, store, async (data) => {
      const following = queues[i + 1];
      if (following !== undefined) return void (await following.add('case', data));
      if ((ended += 1) === cases) finish();
      await next();
    }),
  );
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  const from = process.hrtime.bigint();
  await Promise.all(Array.from({ length: Math.min(inFlight, cases) }, next));
  await finished;
  const seconds = Number(process.hrtime.bigint() - from) / 1e9;
  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all(queues.map((queue) => queue.close()));
  return cases / seconds;
}

function openQueue(name: string, store: ChainStore) {
  const options = { ...store.options, defaultJobOptions: { removeOnComplete: true } };
  return store.onPostgres
    ? new Queue(name, options, createPostgresBackend as never)
    : new Queue(name, options);
}

function openWorker(name: string, store: ChainStore, work: (data: object) => Promise<void>) {
  const options = { ...store.options, concurrency: 50 };
  const process = (job: { data: object }) => work(job.data);
  return store.onPostgres
    ? new Worker(name, process, options, createPostgresBackend as never)
    : new Worker(name, process, options);
}
