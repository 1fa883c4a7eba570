import { silentLogger } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { BullMqQueue } from './bull-queue.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { addHandlers, listening, redisScratch } from './testing/bull-harness.js';
import { aGate, aNudge, STAGES } from './testing/queue-harness.js';

const CASES = 500;
/** As shipped. */
const SLOTS = 300;
const MOST_PERCENT = 60;

describe('two instances of a service', () => {
  it.each([1, 5, 20])(
    'R16 divide 500 slow cases at worst 60 : 40, also if a job wakes %i of them',
    async (perJob) => {
      const scratch = await redisScratch();
      const open = () => connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
      const stores = [await open(), await open(), await open()];
      const [connection, ...ofInstances] = stores;
      const queue = new BullMqQueue({ connection: connection!, stages: STAGES, tools: [] });
      const gate = aGate();
      const counts = [0, 0];
      const servers: BullMqServer[] = [];
      for (const [i, store] of ofInstances.entries()) {
        const topics = { reason: { live: SLOTS, bulk: 0 } };
        const server = new BullMqServer({ connection: store, topics, log: silentLogger, graceMs: 5_000 });
        const reason = async () => {
          counts[i]! += 1;
          await gate.passed;
        };
        addHandlers(server, { reason });
        await listening(server);
        servers.push(server);
      }
      const nudges = Array.from({ length: CASES }, (_, n) =>
        aNudge(perJob === 1 ? {} : { sharedJob: `job-${Math.floor(n / perJob)}` }),
      );
      await queue.nudge(nudges);
      await until('all cases have begun', () => counts[0]! + counts[1]! === CASES);
      expect(Math.max(...counts)).toBeLessThanOrEqual((CASES * MOST_PERCENT) / 100);
      gate.open();
      for (const server of servers) await server.close();
      await queue.close();
      for (const store of stores) await store.close();
      await scratch.drop();
    },
  );
});
