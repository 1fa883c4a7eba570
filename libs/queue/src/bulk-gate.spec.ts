import { silentLogger } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { BullMqQueue } from './bull-queue.js';
import { BulkGate } from './bulk-gate.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { addHandlers, listening, postgresScratch, redisScratch } from './testing/bull-harness.js';
import { aNudge, STAGES, TOOLS } from './testing/queue-harness.js';

function setUp() {
  let now = 1_000;
  const gate = new BulkGate(() => now);
  return { gate, advance: (ms: number) => void (now += ms) };
}

/** Starts all jobs that may start within this many milliseconds. Returns their number. */
function begun({ gate, advance }: ReturnType<typeof setUp>, ms: number): number {
  let count = 0;
  for (let at = 0; at < ms; at += 1) {
    if (gate.nextIn() === 0) {
      gate.begin();
      count += 1;
    }
    advance(1);
  }
  return count;
}

describe('R16 E-12 the gate that bulk work asks', () => {
  it('is open while live work is taken at once and the event loop is in time', () => {
    const at = setUp();
    at.gate.sawLiveWait(50);
    at.gate.sawLag(20);
    expect(at.gate.isClosed).toBe(false);
    expect(begun(at, 40)).toBe(40);
  });

  it.each([
    ['a live job has waited', (gate: BulkGate) => gate.sawLiveWait(51)],
    ['the event loop is late', (gate: BulkGate) => gate.sawLag(21)],
  ])('begins no bulk job after %s, but for the trickle', (_why, cause) => {
    const at = setUp();
    at.gate.begin();
    cause(at.gate);
    expect(begun(at, 100)).toBe(0);
    expect(begun(at, 100)).toBe(1);
  });

  it('stays closed for half of what closes it, and opens once it is quiet', () => {
    const at = setUp();
    at.gate.sawLiveWait(51);
    at.advance(249);
    at.gate.sawLiveWait(26);
    at.advance(249);
    expect(at.gate.isClosed).toBe(true);
    at.gate.sawLiveWait(25);
    at.gate.sawLag(10);
    at.advance(1);
    expect(at.gate.isClosed).toBe(false);
    expect(at.gate.nextIn()).toBe(0);
  });

  it('lets bulk work move for ever, however long live work has to wait', () => {
    const at = setUp();
    let count = 0;
    for (let round = 0; round < 100; round += 1) {
      at.gate.sawLiveWait(1_000);
      count += begun(at, 200);
    }
    expect(count).toBe(200);
  });

  it('gives queues turns, so that what was begun at an early stage is also finished', async () => {
    const { gate } = setUp();
    const order: string[] = [];
    const { signal } = new AbortController();
    const queues = ['triage', 'triage', 'triage', 'triage', 'reason', 'decide'];
    await Promise.all(queues.map((queue) => gate.pass(queue, signal).then(() => order.push(queue))));
    expect(order).toEqual(['triage', 'reason', 'decide', 'triage', 'triage', 'triage']);
  });

  it('lets one after another pass, and no stopped caller waits any more', async () => {
    const { gate } = setUp();
    const stop = new AbortController();
    await gate.pass('a', stop.signal);
    gate.sawLiveWait(51);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (at) => {
      await gate.pass('a', stop.signal);
      order.push(at);
    });
    expect(order).toEqual([]);
    stop.abort();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });
});

describe.each([
  ['Redis', redisScratch],
  ['Postgres', postgresScratch],
])('R16 E-12 bulk work on %s', (_name, makeScratch) => {
  const BULK = 30;
  const setUpQueue = async (gate: BulkGate) => {
    const scratch = await makeScratch();
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
    const queue = new BullMqQueue({ connection, stages: STAGES, tools: TOOLS });
    const topics = { reason: { live: 2, bulk: 10 } };
    const server = new BullMqServer({ connection, topics, gate, log: silentLogger, graceMs: 5_000 });
    const begun: string[] = [];
    addHandlers(server, { reason: async (_payload, job) => void begun.push(job.lane) });
    const bulk = () => begun.filter((lane) => lane === 'bulk').length;
    const close = async () => {
      await server.close();
      await queue.close();
      await connection.close();
      await scratch.drop();
    };
    return { queue, server, begun, bulk, close };
  };

  it('stands still while live work has to wait, but for the trickle, and is all done afterwards', async () => {
    const { gate, advance } = setUp();
    const { queue, server, begun, bulk, close } = await setUpQueue(gate);
    gate.sawLiveWait(51);
    await queue.nudge(Array.from({ length: BULK }, () => aNudge({ lane: 'batch' })));
    await listening(server);
    await until('a bulk job has begun', () => bulk() === 1);
    const live = Array.from({ length: 20 }, () => aNudge());
    await queue.nudge(live);
    await until('all live jobs have begun', () => begun.length === 1 + live.length);
    expect(bulk()).toBe(1);
    for (let trickled = 2; trickled <= 3; trickled += 1) {
      gate.sawLiveWait(51);
      advance(100);
      await until(`${trickled} bulk jobs have begun`, () => bulk() === trickled);
    }
    advance(10_000);
    await until('all bulk jobs have begun', () => bulk() === BULK);
    await close();
  });

  it('that waits for its turn goes back to its queue when the process stops', async () => {
    const { gate } = setUp();
    const { queue, server, bulk, close } = await setUpQueue(gate);
    gate.sawLiveWait(51);
    await queue.nudge(Array.from({ length: BULK }, () => aNudge({ lane: 'batch' })));
    await listening(server);
    await until('a bulk job has begun', () => bulk() === 1);
    await server.close();
    expect(bulk()).toBe(1);
    const depth = (await queue.depths()).find((one) => one.queue === 'reason.bulk');
    expect(depth).toMatchObject({ waiting: BULK - 1, active: 0, failed: 0 });
    await close();
  });
});
