import { silentLogger } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { Redis } from 'ioredis';
import { BullMqQueue } from './bull-queue.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { proveRedis } from './redis-proof.js';
import { addHandlers, listening, redisScratch, type Scratch } from './testing/bull-harness.js';
import { aNudge } from './testing/queue-harness.js';

const SINGLE = { form: 'single' } as const;

/** A Redis that answers as one of another form. Real ones are in the whole tier. */
const answering = (info: string, refuses: Record<string, string> = {}) => {
  const answer = (name: string, value: unknown) => async () => {
    if (refuses[name] !== undefined) throw new Error(refuses[name]);
    return value;
  };
  return {
    info: answer('info', info),
    eval: answer('eval', [0, 0]),
    bzpopmin: answer('bzpopmin', null),
    xadd: answer('xadd', null),
    set: answer('set', 'OK'),
    get: answer('get', 'ours'),
  } as unknown as Redis;
};

describe('the proof of a Redis', () => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await redisScratch();
  });
  afterAll(() => scratch.drop());

  it('finds no fault in a plain Redis, and leaves no key but the owner', async () => {
    const client = new Redis(scratch.url);
    const proof = await proveRedis(client, SINGLE, scratch.prefix!, 'ours');
    expect(proof).toEqual({ fault: null, isFinal: false, evictionPolicy: null });
    expect(await client.keys(`${scratch.prefix}:*`)).toEqual([`${scratch.prefix}:installation`]);
    client.disconnect();
  });

  it.each([
    ['redis_mode:sentinel\r\n', 'redis+sentinel://'],
    ['redis_version:7.0.0\r\nredis_mode:cluster\r\n', 'redis+cluster://'],
    ['redis_version:5.0.7\r\nredis_mode:standalone\r\n', 'version 5.0.7'],
  ])('%j: names what to do', async (info, expected) => {
    const { fault, isFinal } = await proveRedis(answering(info), SINGLE, 'p', 'ours');
    expect(fault).toContain(expected);
    expect(isFinal).toBe(false);
  });

  it('accepts the node of a cluster as part of a cluster', async () => {
    const info = 'redis_version:7.0.0\r\nredis_mode:cluster\r\n';
    expect((await proveRedis(answering(info), { form: 'cluster' }, '{p}', 'ours')).fault).toBeNull();
  });

  it.each([
    ['eval', "NOPERM this user has no permissions to run the 'eval' command", 'may not run EVAL'],
    ['bzpopmin', 'ERR unknown command `bzpopmin`', 'does not have the command BZPOPMIN'],
    ['eval', "CROSSSLOT Keys in request don't hash to the same slot", 'redis+cluster://'],
  ])('names a command that is refused: %s, %s', async (command, message, expected) => {
    const client = answering('redis_version:7.2.0\r\n', { [command]: message });
    expect((await proveRedis(client, SINGLE, 'p', 'ours')).fault).toContain(expected);
  });

  it('does not take a temporary failure for a fault', async () => {
    const client = answering('', { set: 'READONLY You can not write against a read only replica.' });
    await expect(proveRedis(client, SINGLE, 'p', 'ours')).rejects.toThrow('READONLY');
  });
});

describe('two installations on one Redis', () => {
  it('the second adds no job and takes none, and says what to do', async () => {
    const { url, prefix, drop } = await redisScratch();
    const open = (owner: string) => connectQueueStore(url, { log: silentLogger, prefix, owner });
    const topics = { reason: { live: 1, bulk: 1 } };
    const first = await open('first');
    await first.proven;
    const others = await open('second');
    const ours = new BullMqQueue({ connection: first, stages: ['reason'], tools: [] });
    const theirs = new BullMqQueue({ connection: others, stages: ['reason'], tools: [] });
    const strangers = new BullMqServer({ connection: others, topics, log: silentLogger, graceMs: 0 });
    let taken = 0;
    addHandlers(strangers, { reason: async () => void (taken += 1) });
    await listening(strangers);
    await until('the other installation is noticed', () => others.unusable() !== null);
    expect(others.unusable()).toMatch(/another installation.*QUEUE_PREFIX/);
    await expect(theirs.nudge([aNudge()])).rejects.toMatchObject({
      reasonCode: 'queue_unusable',
      retryable: false,
    });
    await expect(theirs.ping(1_000)).rejects.toMatchObject({ reasonCode: 'queue_unusable' });
    await ours.nudge([aNudge()]);
    // The worker of the first takes what the second left.
    const own = new BullMqServer({ connection: first, topics, log: silentLogger, graceMs: 0 });
    let done = 0;
    addHandlers(own, { reason: async () => void (done += 1) });
    await listening(own);
    await until('the job is done', () => done === 1);
    expect(taken).toBe(0);
    await Promise.all([own.close(), strangers.close()]);
    await Promise.all([ours.close(), theirs.close()]);
    await Promise.all([first.close(), others.close()]);
    await drop();
  });
});
