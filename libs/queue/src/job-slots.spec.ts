import { silentLogger } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { BullMqQueue } from './bull-queue.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { addHandlers, listening, redisScratch } from './testing/bull-harness.js';
import { aGate, aNudge, STAGES } from './testing/queue-harness.js';

describe('the slots of a queue', () => {
  it('fetch again as soon as one is free, also while a job that waited for its turn continues', async () => {
    const scratch = await redisScratch();
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
    const queue = new BullMqQueue({ connection, stages: STAGES, tools: [] });
    const topics = { reason: { live: 2, bulk: 0 } };
    const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 5_000 });
    const gates = new Map<string, ReturnType<typeof aGate>>();
    const begun: string[] = [];
    const reason = async (payload: unknown) => {
      const { runId } = payload as { runId: string };
      begun.push(runId);
      await gates.get(runId)?.passed;
    };
    addHandlers(server, { reason });
    const held = (sharedJob?: string) => {
      const nudge = aNudge(sharedJob === undefined ? {} : { sharedJob });
      gates.set(nudge.runId, aGate());
      return nudge;
    };
    const end = ({ runId }: { runId: string }) => gates.get(runId)?.open();
    const [a, b, waiting, last] = [held('shared'), held('shared'), held(), held()];
    await listening(server);
    await queue.nudge([a, b]);
    // The shared job ends a second after both have started. They continue, and use both slots.
    await until('the first job is gone', async () => (await queue.alive([a]))[0] === false);
    await queue.nudge([waiting]);
    await until('3 units are in hand', () => server.counts()['reason']?.busy === 3);
    end(a);
    await until('the waiting job has begun', () => begun.includes(waiting.runId));
    end(b);
    await queue.nudge([last]);
    await until('the last job has begun', () => begun.includes(last.runId));
    expect(begun).toEqual([a, b, waiting, last].map(({ runId }) => runId));
    for (const nudge of [waiting, last]) end(nudge);
    await server.close();
    await queue.close();
    await connection.close();
    await scratch.drop();
  });
});
