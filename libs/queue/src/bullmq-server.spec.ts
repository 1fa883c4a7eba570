import { CasefileError, InvalidInput, silentLogger } from '@casefile/contracts';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { until } from '@casefile/contracts/testing';
import { createAlertSender } from './alert-sender.js';
import { BullMqQueue } from './bull-queue.js';
import { BullMqContext } from './bullmq-context.js';
import { BullMqServer, type BullMqServerOptions } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { openQueue } from './open-queue.js';
import type { QueueStore } from './queue-store.js';
import {
  addHandlers,
  listening,
  postgresScratch,
  redisScratch,
  type Scratch,
} from './testing/bull-harness.js';
import { aGate, aNudge, STAGES, TOOLS, type Handle } from './testing/queue-harness.js';

const seen: { payload: unknown; context: BullMqContext }[] = [];

@Controller()
class ReasonController {
  @EventPattern<string>('reason')
  async reason(@Payload() payload: unknown, @Ctx() context: BullMqContext): Promise<void> {
    seen.push({ payload, context });
    if (context.attempt === 1) throw new Error('once');
  }
}

@Module({ controllers: [ReasonController] })
class TestModule {}

describe('the transport', () => {
  let scratch: Scratch;
  let connection: QueueStore;
  let queue: BullMqQueue;
  const servers: BullMqServer[] = [];

  const serve = async (handlers: Record<string, Handle>, over: Partial<BullMqServerOptions> = {}) => {
    const topics = Object.fromEntries(Object.keys(handlers).map((topic) => [topic, { live: 2, bulk: 0 }]));
    const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 5_000, ...over });
    servers.push(server);
    addHandlers(server, handlers);
    await listening(server);
    return server;
  };

  beforeEach(async () => {
    scratch = await redisScratch();
    connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
    const wakeUpOptions = { attempts: 3, backoff: 10 };
    queue = new BullMqQueue({ connection, stages: STAGES, tools: TOOLS, wakeUpOptions });
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    await queue.close();
    await connection.close();
    await scratch.drop();
  });

  it('carries Nest handlers: payload, context, and a throw that fails the job', async () => {
    const topics = { reason: { live: 1, bulk: 1 } };
    const strategy = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 5_000 });
    servers.push(strategy);
    const app = await NestFactory.createMicroservice(TestModule, { strategy, logger: false });
    await app.listen();
    const nudge = aNudge();
    await queue.nudge([nudge]);
    await until('2 jobs are handled', () => seen.length === 2);
    await app.close();
    expect(seen.map(({ context }) => context.attempt)).toEqual([1, 2]);
    expect(seen[0]?.payload).toEqual({ runId: nudge.runId, unit: '', round: 1 });
    expect(seen[0]?.context).toBeInstanceOf(BullMqContext);
    expect(seen[0]?.context).toMatchObject({ name: 'reason', queue: 'reason', lane: 'live' });
    expect(seen[0]?.context.jobId).toBe(`${nudge.runId}..reason.1.1`);
    expect(seen[0]?.context.signal.aborted).toBe(false);
  });

  it('refuses to start with two handlers for a topic, a request handler, or a topic without limits', async () => {
    const make = () =>
      new BullMqServer({ connection, topics: { a: { live: 1, bulk: 1 } }, log: silentLogger, graceMs: 1 });
    const twice = make();
    addHandlers(twice, { a: async () => undefined });
    addHandlers(twice, { a: async () => undefined });
    await expect(listening(twice)).rejects.toMatchObject({ reasonCode: 'two_handlers' });
    const request = make();
    request.addHandler('a', async () => undefined, false);
    await expect(listening(request)).rejects.toMatchObject({ reasonCode: 'wrong_handler' });
    await expect(serve({ b: async () => undefined }, { topics: {} })).rejects.toMatchObject({
      reasonCode: 'unknown_topic',
    });
  });

  it('R9: puts off an alert that could not be taken for now, though its sender gave it a single attempt', async () => {
    let tries = 0;
    await serve({
      alerts: async () => {
        tries += 1;
        if (tries < 3)
          throw new CasefileError('store_unreachable', 'not now', { retryable: true, retryAfterMs: 1 });
      },
    });
    const sender = createAlertSender(connection);
    await sender.send([{ body: { text: 'hello' }, id: 'a-1' }]);
    await until('the third try', () => tries === 3);
    await until('no alert is left in its queue', async () =>
      (await queue.depths()).every((depth) => depth.active + depth.delayed + depth.failed === 0),
    );
    await sender.close();
  });

  it('tries a job that is not valid once, whatever its sender allows, and logs the same failure once', async () => {
    let tries = 0;
    const lines: object[] = [];
    const warn = (facts: object) => void lines.push(facts);
    const log = { ...silentLogger, warn };
    const refuse = async () => {
      tries += 1;
      throw new InvalidInput([{ path: `f${tries}`, message: 'is not known' }], 'job');
    };
    await serve({ reason: refuse }, { log });
    const foreign = openQueue(connection, 'reason');
    for (let i = 0; i < 5; i += 1)
      await foreign.add('x', { i }, { attempts: 1_000_000, backoff: { type: 'fixed', delay: 1 } });
    await until('all jobs have failed', async () => (await foreign.getJobCounts('failed'))['failed'] === 5);
    await foreign.close();
    expect([tries, lines.length]).toEqual([5, 1]);
  });

  it('keeps an alert that failed for good where people can see it', async () => {
    const alerts = () => Promise.reject(new CasefileError('unexpected', 'never'));
    await serve({ alerts });
    const sender = createAlertSender(connection);
    await sender.send([{ body: { text: 'hello' } }]);
    await sender.close();
    await until('the failed alert is listed', async () =>
      (await queue.depths()).some((depth) => depth.queue === 'alerts' && depth.delayed + depth.failed === 1),
    );
  });

  it('R17: aborts a job that outlasts the grace, and lets go of it', async () => {
    const reasons: unknown[] = [];
    let started = false;
    const server = await serve(
      {
        reason: (_payload, { signal }) =>
          new Promise((_resolve, reject) => {
            started = true;
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              reject(new Error('stopped'));
            });
          }),
      },
      { graceMs: 1 },
    );
    const nudge = aNudge();
    await queue.nudge([nudge]);
    await until('the job has started', () => started);
    await server.close();
    expect(reasons).toEqual(['shutdown']);
    expect(await queue.alive([nudge])).toEqual([true]);
  });

  it('R17: gives back a job that a fetch under way brings after the pause', async () => {
    let done = 0;
    const server = await serve({ reason: async () => void (done += 1) });
    await queue.nudge([aNudge()]);
    await until('the job is done', () => done === 1);
    // The worker now waits in its blocking fetch, which the pause does not interrupt.
    await server.pause();
    const late = aNudge();
    await queue.nudge([late]);
    await until('a job is fetched', async () => (server.counts()['reason']?.fetched ?? 0) >= 1);
    await server.close();
    expect(done).toBe(1);
    expect(await queue.alive([late])).toEqual([true]);
  });

  it('is deaf when slots are free and work waits but nothing is fetched, and not when it is busy', async () => {
    const gate = aGate();
    const server = await serve({ reason: () => gate.passed }, { topics: { reason: { live: 1, bulk: 0 } } });
    expect(await server.deafQueues(-1)).toEqual([]);
    await queue.nudge([aNudge(), aNudge()]);
    await until('1 unit is in hand', () => server.counts()['reason']?.busy === 1);
    // One job waits, but the only slot is taken.
    expect(await server.deafQueues(-1)).toEqual([]);
    gate.open();
    await until('no job is left', async () =>
      (await queue.depths()).every((one) => one.waiting + one.active === 0),
    );
    const other = await serve({ triage: async () => undefined });
    // Its workers stop fetching without the server's knowledge, as if a connection hung.
    await Promise.all(other.unwrap<{ pause(): Promise<void> }[]>().map((slots) => slots.pause()));
    await queue.nudge(Array.from({ length: 4 }, () => aNudge({ stage: 'triage' })));
    await until('the queue is deaf', async () => (await other.deafQueues(-1)).includes('triage'));
  });

  it('does no more of a shared job at once than it has slots, and fetches nothing meanwhile', async () => {
    const gate = aGate();
    const counts = { running: 0, most: 0, ended: 0 };
    const reason: Handle = async () => {
      counts.running += 1;
      counts.most = Math.max(counts.most, counts.running);
      await gate.passed;
      counts.running -= 1;
      counts.ended += 1;
    };
    const shared = (sharedJob: string) => Array.from({ length: 6 }, () => aNudge({ sharedJob }));
    await queue.nudge(shared('a'));
    const server = await serve({ reason });
    await until('both slots are in use', () => counts.running === 2);
    await queue.nudge([...shared('b'), ...shared('c')]);
    await until('6 units are in hand', () => server.counts()['reason']?.busy === 6);
    expect((await queue.depths()).find((depth) => depth.queue === 'reason')).toMatchObject({
      waiting: 2,
      active: 1,
    });
    gate.open();
    await until('all units have ended', () => counts.ended === 18);
    expect(counts.most).toBe(2);
  });

  it('R17: gives back a shared job of which not all has begun', async () => {
    const gate = aGate();
    const done: string[] = [];
    const server = await serve({
      reason: async (payload) => {
        await gate.passed;
        done.push((payload as { runId: string }).runId);
      },
    });
    const nudges = Array.from({ length: 5 }, () => aNudge({ sharedJob: 'a' }));
    await queue.nudge(nudges);
    await until('5 units are in hand', () => server.counts()['reason']?.busy === 5);
    await server.pause();
    gate.open();
    await server.close();
    expect(done).toHaveLength(2);
    expect(await queue.alive(nudges)).toEqual(nudges.map(() => true));
    const seen: string[] = [];
    await serve({ reason: async (payload) => void seen.push((payload as { runId: string }).runId) });
    await until('5 jobs are handled', () => seen.length === 5);
  });

  it('holds a limited topic to its rate over all its workers, in whatever process', async () => {
    let done = 0;
    // One live job in more than twenty minutes.
    const topics = { reason: { live: 4, bulk: 4, perSecond: 0.001 } };
    const servers = [
      await serve({ reason: async () => void (done += 1) }, { topics }),
      await serve({ reason: async () => void (done += 1) }, { topics }),
    ];
    const nudges = Array.from({ length: 8 }, () => aNudge());
    await queue.nudge(nudges);
    await until('the job is done', () => done === 1);
    const limited = openQueue(connection, 'reason');
    await until('the topic is limited', async () => (await limited.getRateLimitTtl(1)) > 0);
    await limited.close();
    for (const server of servers) await server.close();
    expect(done).toBe(1);
    expect((await queue.alive(nudges)).filter(Boolean)).toHaveLength(7);
  });
});

describe.each([
  ['Redis', redisScratch],
  ['Postgres', postgresScratch],
])('a server that takes nothing, on %s,', (_name, makeScratch) => {
  it('is deaf for the oldest job that waits, however many new ones there are', async () => {
    const scratch = await makeScratch();
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
    const topics = { triage: { live: 1, bulk: 0 } };
    const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 5_000 });
    addHandlers(server, { triage: async () => undefined });
    await listening(server);
    const [slots] = server.unwrap<{ pause(): Promise<void>; lastFetch: number }[]>();
    await slots?.pause();
    const HOUR = 3_600_000;
    Object.assign(slots ?? {}, { lastFetch: 0 });
    const queue = openQueue(connection, 'triage');
    const addAged = (ms: number) => queue.add('nudge', {}, { timestamp: Date.now() - ms });
    for (let i = 0; i < 3; i += 1) await addAged(0);
    expect(await server.deafQueues(HOUR)).toEqual([]);
    await queue.drain();
    // A fetch that was under way at the pause may still take one.
    for (let i = 0; i < 2; i += 1) await addAged(2 * HOUR);
    for (let i = 0; i < 3; i += 1) await addAged(0);
    Object.assign(slots ?? {}, { lastFetch: 0 });
    expect(await server.deafQueues(HOUR)).toEqual(['triage']);
    await queue.close();
    await server.close();
    await connection.close();
    await scratch.drop();
  });
});
