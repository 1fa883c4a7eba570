import { until } from '@casefile/contracts/testing';
import { bullHarness, postgresScratch, redisScratch } from './testing/bull-harness.js';
import {
  aGate,
  aVerdictMessage,
  UNTAKEN,
  type Consumer,
  type Handle,
  type QueueHarness,
} from './testing/queue-harness.js';

describe.each([
  { name: 'Redis', make: redisScratch },
  { name: 'Postgres', make: postgresScratch },
])('the queue of verdicts on $name', ({ make }) => {
  let harness: QueueHarness;
  let consumer: Consumer | null = null;
  beforeEach(async () => {
    harness = await bullHarness(await make());
  });
  afterEach(async () => {
    await consumer?.close();
    consumer = null;
    await harness.close();
  });

  const publish = (...ids: string[]) => harness.queue.publishVerdicts(ids.map(aVerdictMessage));
  const waiting = async () =>
    (await harness.queue.depths()).find(({ queue }) => queue === 'verdicts')?.waiting;
  const take = async (handle: Handle) => void (consumer = await harness.consume({ verdicts: handle }));
  const idOf = (payload: unknown): string => (payload as { deliveryId: string }).deliveryId;

  it('keeps the newest while no consumer takes them, and hands them out in their order', async () => {
    for (let i = 1; i <= 7; i += 1) await publish(`d-${i}`);
    await publish('d-8', 'd-9');
    expect(await waiting()).toBe(UNTAKEN);
    const taken: string[] = [];
    await take(async (payload) => void taken.push(idOf(payload)));
    await until('the verdicts that wait are taken', () => taken.length === UNTAKEN);
    expect(taken).toEqual(['d-5', 'd-6', 'd-7', 'd-8', 'd-9']);
  });

  it('keeps all for somebody who takes them, however far behind', async () => {
    const gate = aGate();
    let taken = 0;
    await take(async () => {
      taken += 1;
      await gate.passed;
    });
    await publish('first');
    await until('the first verdict is taken', () => taken === 1);
    for (let i = 1; i <= 8; i += 1) await publish(`d-${i}`);
    expect(await waiting()).toBe(8);
    gate.open();
    await until('9 verdicts are taken', () => taken === 9);
  });

  it('keeps all for somebody who took one of late and is away', async () => {
    let taken = 0;
    await take(async () => void (taken += 1));
    await publish('first');
    await until('the first verdict is taken', () => taken === 1);
    await consumer?.close();
    consumer = null;
    for (let i = 1; i <= 8; i += 1) await publish(`d-${i}`);
    expect(await waiting()).toBe(8);
  });
});
