import { silentLogger } from '@casefile/contracts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '@casefile/contracts/testing';
import { BullMqQueue } from './bull-queue.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { addHandlers, listening, postgresScratch, redisScratch } from './testing/bull-harness.js';
import { aNudge, STAGES } from './testing/queue-harness.js';

/** Shorter than WORKER_OPTIONS: the test is about the outcome, not the times. */
const stalledInterval = 200;
const workerOptions = { lockDuration: 600, stalledInterval };

beforeAll(async () => {
  const tool = new URL('../../../tools/build.mjs', import.meta.url).href;
  const { build } = (await import(tool)) as { build(only: string[]): Promise<number> };
  await build(['libs/contracts', 'libs/queue']);
});

// With four slots a queue has two workers in each process.
describe.each([
  { name: 'Redis', make: redisScratch, slots: 4 },
  { name: 'Postgres', make: postgresScratch, slots: 1 },
])('a worker killed with -9 on $name, $slots jobs at once', ({ make, slots }) => {
  it('R1: has its job taken over, again and again, and the job does not fail for it', async () => {
    const scratch = await make();
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
    const queue = new BullMqQueue({ connection, stages: STAGES, tools: [] });
    const nudge = aNudge();
    await queue.nudge([nudge]);
    // BullMQ's own default fails a job at the second death.
    for (let death = 0; death < 2; death += 1) {
      const worker = spawn(
        process.execPath,
        ['--input-type=module', '-e', WORKER, scratch.url, scratch.prefix ?? '', String(slots)],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let [taken, said] = ['', ''];
      worker.stdout.on('data', (text: Buffer) => (taken += text.toString()));
      worker.stderr.on('data', (text: Buffer) => (said += text.toString()));
      const state = () => `worker ${death} takes the job, exit code ${worker.exitCode}: ${taken}${said}`;
      await until(state, () => taken.startsWith(nudge.runId));
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    const topics = { reason: { live: slots, bulk: 0 } };
    const server = new BullMqServer({
      connection,
      topics,
      log: silentLogger,
      graceMs: 1_000,
      workerOptions: { stalledInterval },
    });
    const attempts: number[] = [];
    addHandlers(server, { reason: async (_payload, job) => void attempts.push(job.attempt) });
    await listening(server);
    await until('the job is attempted', () => attempts.length > 0);
    await until('the job of the dead worker is gone', async () => !(await queue.alive([nudge]))[0]);
    expect(attempts).toEqual([1]);
    expect(server.counts()['reason']).toMatchObject({ failed: 0 });
    await server.close();
    await queue.close();
    await connection.close();
    await scratch.drop();
  });
});

/** Takes a job, prints its id, and never ends it. */
const WORKER = `
  import { BullMqServer, connectQueueStore } from '${new URL('../dist/index.js', import.meta.url).href}';
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const [, url, prefix, slots] = process.argv;
  const connection = await connectQueueStore(url, { log, prefix: prefix || undefined });
  const topics = { reason: { live: Number(slots), bulk: 0 } };
  const workerOptions = ${JSON.stringify(workerOptions)};
  const server = new BullMqServer({ connection, topics, log, graceMs: 1000, workerOptions });
  server.addHandler('reason', (payload) => { console.log(payload.runId); return new Promise(() => {}); }, true);
  server.listen((error) => { if (error) throw error; });
`;
