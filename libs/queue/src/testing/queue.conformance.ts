import type { Lane, StageNudge } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { JobFacts } from '../bullmq-context.js';
import {
  aGate,
  aNudge,
  aVerdictMessage,
  SHARED_JOB,
  type Consumer,
  type Handle,
  type QueueHarness,
} from './queue-harness.js';

/** Tests that every queue store must pass. */
export function describeQueue(name: string, makeHarness: () => Promise<QueueHarness>): void {
  describe(`queue on ${name}`, () => {
    let harness: QueueHarness;
    const consumers: Consumer[] = [];
    const consume = async (handlers: Record<string, Handle>) => {
      const consumer = await harness.consume(handlers);
      consumers.push(consumer);
      return consumer;
    };
    const depth = async (queue: string) =>
      (await harness.queue.depths()).find((each) => each.queue === queue);

    beforeEach(async () => {
      harness = await makeHarness();
    });
    afterEach(async () => {
      for (const consumer of consumers.splice(0)) await consumer.close();
      await harness.close();
    });

    it('delivers to the handler of the stage the ids and nothing else', async () => {
      const seen: { payload: unknown; job: JobFacts }[] = [];
      await consume({ reason: async (payload, job) => void seen.push({ payload, job }) });
      const nudge = aNudge({ unit: 'c-1', round: 2, nudge: 7 });
      await harness.queue.nudge([nudge]);
      await until('the job is handled', () => seen.length === 1);
      expect(seen[0]?.payload).toEqual({ runId: nudge.runId, unit: 'c-1', round: 2 });
      expect(seen[0]?.job).toMatchObject({
        jobId: `${nudge.runId}.c-1.reason.2.7`,
        topic: 'reason',
        queue: 'reason',
        name: 'reason',
        lane: 'live',
        attempt: 1,
      });
    });

    it('delivers tool calls on the queue of their tool', async () => {
      const seen: unknown[] = [];
      await consume({
        'tool.scam_db': async (payload, job) => void seen.push({ payload, queue: job.queue }),
      });
      await harness.queue.nudge([
        { kind: 'tool', tool: 'scam_db', toolCallId: 'call-1', lane: 'live', nudge: 1 },
        { kind: 'tool', tool: 'scam_db', toolCallId: 'call-2', lane: 'shadow', nudge: 1 },
      ]);
      await until('2 jobs are handled', () => seen.length === 2);
      expect(seen).toContainEqual({ payload: { toolCallId: 'call-1' }, queue: 'tool.scam_db' });
      expect(seen).toContainEqual({ payload: { toolCallId: 'call-2' }, queue: 'tool.scam_db.bulk' });
    });

    it('delivers alerts that others add, whatever is in them', async () => {
      const seen: unknown[] = [];
      await consume({ alerts: async (payload) => void seen.push(payload) });
      await harness.addAlert({ text: 'Your parcel is held', anything: [1, { a: null }] }, 'a-1');
      await until('the job is handled', () => seen.length === 1);
      expect(seen).toEqual([{ text: 'Your parcel is held', anything: [1, { a: null }] }]);
    });

    it('adds a job once however often it is nudged while it is there', async () => {
      const nudge = aNudge();
      await harness.queue.nudge([nudge]);
      await harness.queue.nudge([nudge, nudge]);
      expect((await depth('reason'))?.waiting).toBe(1);
      await harness.queue.nudge([{ ...nudge, nudge: 2 }]);
      expect((await depth('reason'))?.waiting).toBe(2);
    });

    it('sends what many callers hand in, each job once', async () => {
      const nudges = Array.from({ length: 60 }, () => aNudge());
      await Promise.all(nudges.map((nudge) => harness.queue.nudge([nudge])));
      expect((await depth('reason'))?.waiting).toBe(60);
      expect(await harness.queue.alive(nudges)).toEqual(nudges.map(() => true));
    });

    it('wakes each unit that shares a job once, and knows it for awaited until that job is over', async () => {
      const nudges = Array.from({ length: 5 }, () => aNudge({ sharedJob: SHARED_JOB }));
      const gate = aGate();
      const seen: string[] = [];
      await consume({
        reason: async (payload) => {
          seen.push((payload as { runId: string }).runId);
          await gate.passed;
        },
      });
      await harness.queue.nudge(nudges);
      await until('a job is handled', () => seen.length > 0);
      expect(await harness.queue.alive(nudges)).toEqual(nudges.map(() => true));
      gate.open();
      await until('5 jobs are handled', () => seen.length === 5);
      expect(seen.sort()).toEqual(nudges.map(({ runId }) => runId).sort());
      await until('no job is left', async () =>
        (await harness.queue.alive(nudges)).every((isThere) => !isThere),
      );
    });

    it('wakes a unit whose shared job was sent before, and one that has no other to share it with', async () => {
      const seen: string[] = [];
      const [a, b, c, d] = Array.from({ length: 4 }, () => aNudge({ sharedJob: SHARED_JOB })) as StageNudge[];
      await harness.queue.nudge([a!]);
      await harness.queue.nudge([b!, c!]);
      await harness.queue.nudge([d!, aNudge()]);
      expect(await harness.queue.alive([a!, b!, c!, d!])).toEqual([true, true, true, true]);
      await consume({ reason: async (payload) => void seen.push((payload as { runId: string }).runId) });
      await until('5 jobs are handled', () => seen.length === 5);
      await until('no job is active', async () => (await depth('reason'))?.active === 0);
      expect(new Set(seen).size).toBe(5);
    });

    it('knows for each nudge whether its job is there and not over', async () => {
      const [waiting, running, done, never] = [aNudge({ stage: 'triage' }), aNudge(), aNudge(), aNudge()];
      const gate = aGate();
      let started = false;
      let finished = false;
      await consume({
        reason: async (payload) => {
          if ((payload as { runId: string }).runId === done.runId) return void (finished = true);
          started = true;
          await gate.passed;
        },
      });
      await harness.queue.nudge([done]);
      await until('the job has finished', () => finished);
      await harness.queue.nudge([waiting, running]);
      await until('the job has started', () => started);
      await until('the job that is done is gone', async () => !(await harness.queue.alive([done]))[0]);
      expect(await harness.queue.alive([waiting, running, done, never])).toEqual([true, true, false, false]);
      gate.open();
    });

    it('R7: its sentinel outlives work and is gone when the store was emptied', async () => {
      expect(await harness.queue.hasSentinel()).toBe(false);
      await harness.queue.plantSentinel();
      await harness.queue.plantSentinel();
      let done = 0;
      await consume({ reason: async () => void (done += 1) });
      await harness.queue.nudge([aNudge(), aNudge()]);
      await until('2 jobs are done', () => done === 2);
      expect(await harness.queue.hasSentinel()).toBe(true);
      const lost = aNudge({ stage: 'triage' });
      await harness.queue.nudge([lost]);
      await harness.empty();
      expect(await harness.queue.hasSentinel()).toBe(false);
      expect(await harness.queue.alive([lost])).toEqual([false]);
      await harness.queue.plantSentinel();
      await harness.queue.nudge([lost, aNudge()]);
      expect(await harness.queue.hasSentinel()).toBe(true);
      await until('3 jobs are done', () => done === 3);
    });

    it('tries a job again when its handler throws, then counts it as failed', async () => {
      const attempts: number[] = [];
      await consume({
        reason: async (_payload, job) => {
          attempts.push(job.attempt);
          throw new Error('the database is away');
        },
      });
      const nudge = aNudge();
      await harness.queue.nudge([nudge]);
      await until('the job has failed', async () => (await depth('reason'))?.failed === 1);
      expect(attempts).toEqual(Array.from({ length: harness.attempts }, (_each, at) => at + 1));
      expect(await harness.queue.alive([nudge])).toEqual([false]);
    });

    it('R16: does live work while every slot for the other lanes is taken and more of it waits', async () => {
      const order: string[] = [];
      const gate = aGate();
      await consume({
        reason: async (payload, job) => {
          if (job.lane === 'bulk') await gate.passed;
          order.push(`${job.lane} ${(payload as { runId: string }).runId}`);
        },
      });
      const lanes: Lane[] = ['batch', 'replay', 'shadow'];
      const bulk = Array.from({ length: 30 }, (_each, at) => aNudge({ lane: lanes[at % 3] }));
      await harness.queue.nudge(bulk);
      await until('a bulk job is active', async () => (await depth('reason.bulk'))?.active === 1);
      const live = [aNudge(), aNudge()];
      await harness.queue.nudge(live);
      await until('both live jobs are done', () => order.length === 2);
      expect(order).toEqual(live.map((nudge) => `live ${nudge.runId}`));
      gate.open();
      await until('all jobs are done', () => order.length === 32);
    });

    it('says how full each queue is', async () => {
      await harness.queue.nudge([aNudge(), aNudge({ lane: 'batch' }), aNudge({ lane: 'batch' })]);
      expect(await depth('reason')).toMatchObject({ waiting: 1, active: 0, delayed: 0, failed: 0 });
      expect(await depth('reason.bulk')).toMatchObject({ waiting: 2 });
      expect((await depth('reason'))?.oldestMs).toBeGreaterThanOrEqual(0);
      expect(await depth('verdicts')).toMatchObject({ waiting: 0, oldestMs: null });
    });

    it('says how long the oldest job has waited, however young the newest', async () => {
      await harness.queue.nudge([aNudge()]);
      const ageMs = async () => (await depth('reason'))?.oldestMs ?? 0;
      await until('the first job is 200 ms old', async () => (await ageMs()) >= 200);
      await harness.queue.nudge([aNudge()]);
      expect(await ageMs()).toBeGreaterThanOrEqual(200);
    });

    it('R2: publishes a delivery once by its id', async () => {
      await harness.queue.publishVerdicts([aVerdictMessage('d-1'), aVerdictMessage('d-2')]);
      await harness.queue.publishVerdicts([aVerdictMessage('d-1')]);
      expect((await depth('verdicts'))?.waiting).toBe(2);
    });

    it('removes verdicts of erased cases, and ignores unknown ids', async () => {
      await harness.queue.publishVerdicts(['d-1', 'd-2', 'd-3'].map((id) => aVerdictMessage(id)));
      await harness.queue.remove({ verdicts: ['d-1', 'd-3', 'unknown'], alerts: ['unknown'] });
      expect((await depth('verdicts'))?.waiting).toBe(1);
    });

    it('R17: fetches nothing after pause, and close waits for the job in hand', async () => {
      const events: string[] = [];
      const gate = aGate();
      const consumer = await consume({
        reason: async (payload) => {
          events.push(`start ${(payload as { runId: string }).runId}`);
          await gate.passed;
          events.push('end');
        },
      });
      const [first, second] = [aNudge(), aNudge()];
      await harness.queue.nudge([first]);
      await until('the first job has started', () => events.length === 1);
      await consumer.pause();
      await harness.queue.nudge([second]);
      const closing = consumer.close().then(() => events.push('closed'));
      gate.open();
      await closing;
      expect(events).toEqual([`start ${first.runId}`, 'end', 'closed']);
      expect(await harness.queue.alive([first, second])).toEqual([false, true]);
    });

    it('answers a ping', async () => {
      await expect(harness.queue.ping(5_000)).resolves.toBeUndefined();
    });
  });
}
