import { CasefileError } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import type { PostAnswer } from '@casefile/evidence';
import { testRecord } from '@casefile/store/testing';
import type { ConfiguredDestination } from '../config/destination-settings.js';
import { hook, id, message, senderBench, status, type Answer } from './testing/sender-bench.js';

const record = testRecord();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const world = (destinations: ConfiguredDestination[], answer: Answer, clock = manualClock()) =>
  senderBench(record().store, destinations, answer, clock);

describe('a destination', () => {
  it('gets a verdict at once and once, however often the verdict is routed', async () => {
    const { sender, received, deliveries } = world(
      [hook('a'), hook('b', { when: { disposition: ['review'] } })],
      () => status(200),
    );
    await sender.route([message(1)]);
    await sender.route([message(1)]);
    await sender.idle();
    expect(received).toMatchObject([{ host: 'a.example', runId: id(1) }]);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      id: received[0]?.id,
      state: 'delivered',
      attempts: [{ status: 200, problem: null, response: '200', latencyMs: 0 }],
      message: expect.stringContaining('https://casefile.example/cases/'),
    });
  });

  it('has its client loaded before its first delivery', async () => {
    const [some, none] = [world([hook('a')], () => status(200)), world([], () => status(200))];
    for (const { sender } of [some, none]) {
      await sender.tick();
      await sender.tick();
      await sender.idle();
    }
    expect([some.received, some.loads(), none.loads()]).toEqual([[], 1, 0]);
  });

  it('is tried at 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then the delivery is exhausted and can be sent again', async () => {
    const { sender, received, clock, pass, deliveries, store } = world([hook('a')], () => status(500));
    const begun = clock.now();
    await sender.route([message(1)]);
    await sender.idle();
    await pass(36 * MINUTE, MINUTE);
    await pass(40 * HOUR, 30 * MINUTE);
    const waits = received.map(({ at }, i) => at - (received[i - 1]?.at ?? begun));
    expect(waits.map((wait) => Math.round(wait / MINUTE))).toEqual([0, 1, 5, 30, 120, 300, 600, 600]);
    expect(new Set(received.map((post) => post.id)).size).toBe(1);
    const [exhausted] = await deliveries();
    expect(exhausted).toMatchObject({ state: 'exhausted', nextAt: null });
    expect(exhausted?.attempts).toHaveLength(8);
    expect(await store.destinations.resend(exhausted?.id ?? '', 'ann', clock.now())).toBe(true);
    await pass(1_000);
    expect(received).toHaveLength(9);
    expect(received[8]?.id).toBe(received[0]?.id);
  });

  it('gets a delivery at once whose next attempt is hours away, and delivered ones only if they are asked for', async () => {
    let code = 500;
    const { sender, received, clock, pass, deliveries, store } = world([hook('a')], () => status(code));
    const since = new Date(clock.now()).toISOString();
    await sender.route([message(1)]);
    await sender.idle();
    await pass(3 * HOUR, 10 * MINUTE);
    const [waiting] = await deliveries();
    expect(waiting?.state).toBe('pending');
    expect(Date.parse(waiting?.nextAt ?? '') - clock.now()).toBeGreaterThan(HOUR);
    const before = received.length;
    code = 200;
    expect(await store.destinations.resend(waiting?.id ?? '', 'ann', clock.now())).toBe(true);
    await pass(1_000);
    expect([received.length, (await deliveries())[0]?.state]).toEqual([before + 1, 'delivered']);
    const notDelivered = ['pending', 'exhausted'] as const;
    expect(await store.destinations.resendSince('a', since, notDelivered, 'ann', clock.now())).toBe(0);
    expect(await store.destinations.resendSince('a', since, ['delivered'], 'ann', clock.now())).toBe(1);
  });

  it('that asks for time by Retry-After gets it', async () => {
    let code = 429;
    const { sender, received, pass } = world([hook('a')], () => status(code, 10 * MINUTE));
    await sender.route([message(1)]);
    await sender.idle();
    code = 200;
    await pass(9 * MINUTE, MINUTE);
    expect(received).toHaveLength(1);
    await pass(MINUTE);
    expect(received).toHaveLength(2);
  });

  it.each([301, 400, 404, 500])('has not received a delivery that it answers with %i', async (code) => {
    const { sender, deliveries } = world([hook('a')], () => status(code));
    await sender.route([message(1)]);
    await sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'pending', attempts: [{ status: code }] });
  });

  it('does not fail because a message cannot be composed, and fails after a refused request', async () => {
    const { sender, received, states } = world([hook('a')], () => status(429));
    await sender.route([message(404)]);
    await sender.idle();
    expect([received, await states()]).toMatchObject([[], { failingSince: null, pending: 1 }]);
    await sender.route([message(1)]);
    await sender.idle();
    expect(await states()).toMatchObject({ failingSince: expect.any(String), lastProblem: 'HTTP 429' });
  });

  it('that answers 410 is paused at once, and gets what waited when a person resumes it', async () => {
    let code = 410;
    const { sender, received, clock, pass, states, store } = world([hook('a')], () => status(code));
    await sender.route([message(1)]);
    await sender.idle();
    expect(await states()).toMatchObject({
      pausedBy: 'casefile',
      pausedWhy: expect.stringContaining('410'),
      pending: 1,
    });
    code = 200;
    await sender.route([message(2)]);
    await pass(12 * HOUR, HOUR);
    expect(received).toHaveLength(1);
    await store.destinations.resume('a', 'ann', 'it moved', clock.now());
    await pass(1_000);
    expect(received.map(({ runId }) => runId).sort()).toEqual([id(1), id(1), id(2)]);
    expect(await states()).toMatchObject({ pausedAt: null, pending: 0, lastSuccessAt: expect.any(String) });
  });

  it('is paused after five days in which all of at least 20 deliveries failed, and not with 19 or one success', async () => {
    const days = async (count: number, oneSucceeds: boolean) => {
      let code = 500;
      const { sender, pass, states } = world([hook(`d${count}${oneSucceeds}`)], () => status(code));
      await sender.route(Array.from({ length: count }, (_, i) => message(1_000 + i)));
      await sender.idle();
      await pass(30 * HOUR, HOUR);
      if (oneSucceeds) {
        code = 200;
        await sender.route([message(2_000)]);
        await sender.idle();
        code = 500;
      }
      await pass(90 * HOUR, HOUR);
      await sender.route([message(3_000)]);
      await sender.idle();
      return states();
    };
    expect(await days(19, true)).toMatchObject({ pausedAt: null });
    expect(await days(18, false)).toMatchObject({ pausedAt: null });
    expect(await days(19, false)).toMatchObject({
      pausedWhy: expect.stringMatching(/^All 20 deliveries since 2026/),
    });
  });

  it('gets the verdicts of a case in order, also while the first one fails', async () => {
    let code = 500;
    const { sender, received, pass } = world([hook('a')], () => status(code));
    await sender.route([message(1, 50)]);
    await sender.route([message(2, 50), message(3, 51)]);
    await sender.idle();
    expect(received.map(({ runId }) => runId).sort()).toEqual([id(1), id(3)]);
    code = 200;
    await pass(MINUTE, MINUTE);
    const ofCase = received.filter(({ runId }) => runId !== id(3));
    expect(ofCase.map(({ runId }) => runId)).toEqual([id(1), id(1), id(2)]);
  });

  it('gets what a receiver lost again, with the same ids, by a time', async () => {
    const { sender, received, clock, pass, store } = world([hook('a')], () => status(200));
    await sender.route([message(1)]);
    await sender.idle();
    clock.advance(HOUR);
    const since = new Date(clock.now()).toISOString();
    await sender.route([message(2), message(3)]);
    await sender.idle();
    expect(
      await store.destinations.resendSince('a', since, ['delivered', 'exhausted'], 'ann', clock.now()),
    ).toBe(2);
    await pass(1_000);
    expect(received.map(({ runId }) => runId).sort()).toEqual([id(1), id(2), id(2), id(3), id(3)]);
    expect(new Set(received.map((post) => post.id)).size).toBe(3);
  });

  it('that never answers delays no other one', async () => {
    let answered = () => undefined as void;
    const never = new Promise<PostAnswer>((_resolve, reject) => {
      answered = () =>
        reject(new CasefileError('timeout', 'a.example did not answer in time', { retryable: true }));
    });
    let others = 0;
    let haveAll = () => undefined as void;
    const all = new Promise<void>((resolve) => (haveAll = resolve));
    const { sender, received, deliveries } = world([hook('a'), hook('b')], ({ host }) => {
      if (host === 'a.example') return never;
      others += 1;
      if (others === 40) haveAll();
      return status(200);
    });
    await sender.route(Array.from({ length: 40 }, (_, i) => message(100 + i)));
    await all;
    expect(received.filter(({ host }) => host === 'a.example')).toHaveLength(8);
    answered();
    await sender.idle();
    const failed = (await deliveries()).filter(
      ({ destination, attempts }) => destination === 'a' && attempts.length > 0,
    );
    expect(failed[0]).toMatchObject({
      state: 'pending',
      attempts: [{ status: null, problem: 'a.example did not answer in time' }],
    });
  });

  it('gets tests also while it is paused', async () => {
    const { sender, received, clock, pass, store } = world([hook('a')], () => status(200));
    await store.destinations.pause('a', 'ann', 'maintenance', clock.now());
    await sender.route([message(1)]);
    await store.destinations.add(
      [
        {
          id: id(9),
          destination: 'a',
          kind: 'test',
          key: 'test 9',
          caseId: null,
          runId: null,
          openUntil: null,
        },
      ],
      clock.now(),
    );
    await pass(1_000);
    expect(received.map((post) => post.id)).toEqual([id(9)]);
  });
});

describe('300 verdicts to destinations that fail in four ways', () => {
  it('are each received at least once by every destination, twice only with the same id, though senders are killed 10 times', async () => {
    const clock = manualClock();
    const begun = clock.now();
    let calls = 0;
    const ways: Record<string, () => PostAnswer> = {
      'good.example': () => status(200),
      'dead.example': () => {
        if (clock.now() - begun < HOUR)
          throw new CasefileError('network', 'The connection failed', { retryable: true });
        return status(200);
      },
      'third.example': () => status((calls += 1) % 3 === 0 ? 500 : 200),
      'slow.example': () => {
        if ((calls += 1) % 5 === 0)
          throw new CasefileError('timeout', 'no answer in time', { retryable: true });
        return status(200);
      },
    };
    const names = Object.keys(ways).map((host) => host.replace('.example', ''));
    const succeeded = new Map<string, string[]>();
    const answer: Answer = (post) => {
      const answered = ways[post.host]!();
      if (answered.status === 200) {
        const key = `${post.host} ${post.runId}`;
        succeeded.set(key, [...(succeeded.get(key) ?? []), post.id]);
      }
      return answered;
    };
    const destinations = names.map((name) => hook(name));
    for (let round = 0; round < 10; round += 1) {
      const { sender, store } = world(destinations, answer, clock);
      // A process that is killed has taken deliveries that it never settles.
      for (const name of names) await store.destinations.take(name, clock.now(), clock.now() + 30_000, 5);
      await sender.route(Array.from({ length: 30 }, (_, i) => message(round * 30 + i + 1)));
      await sender.idle();
      clock.advance(31_000);
    }
    const last = world(destinations, answer, clock);
    await last.pass(30 * HOUR, HOUR);
    expect(succeeded.size).toBe(1_200);
    for (const ids of succeeded.values()) expect(new Set(ids).size).toBe(1);
    expect((await record().store.destinations.states(names)).map(({ pending }) => pending)).toEqual([
      0, 0, 0, 0,
    ]);
  });
});
