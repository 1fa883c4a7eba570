import { CasefileError, InvalidInput } from '@casefile/contracts';
import type { JobContext, Platform } from '@casefile/runtime';
import { AlertsQueueController } from './ingest.js';

interface Buried {
  id: string;
  reasonCode: string;
  message: string;
  payload: unknown;
}

function setUp(accept: (body: unknown) => Promise<unknown>) {
  const acceptCalls: { body: unknown; ownKey: string; lane: string }[] = [];
  const buried = new Map<string, Buried>();
  let callCount = 0;
  const platform = {
    intake: {
      receive: (body: unknown, options: { ownKey: string; lane: string }) => {
        callCount += 1;
        acceptCalls.push({ body, ...options });
        return accept(body);
      },
    },
    config: { settings: { intake: { maxBatch: 3 } } },
    store: { deadLetters: { bury: async (entry: Buried) => void buried.set(entry.id, entry) } },
    log: { warn: () => undefined },
  } as unknown as Platform;
  const controller = new AlertsQueueController(platform);
  const take = (jobId: string, stalls: number, body: unknown = { text: 'x' }) =>
    controller.take(body, { jobId, stalls } as JobContext);
  return { buried, take, acceptCalls, callCount: () => callCount };
}

describe('a job of the queue alerts', () => {
  it('E-02 that began three times and never ended is buried, and not begun a fourth time', async () => {
    const { buried, take, callCount } = setUp(async () => undefined);
    await take('7', 2);
    expect([callCount(), buried.size]).toEqual([1, 0]);
    await take('7', 3);
    expect(callCount()).toBe(1);
    expect([...buried.values()]).toEqual([
      expect.objectContaining({ reasonCode: 'crashed_intake', payload: { text: 'x' } }),
    ]);
  });

  it('E-02 is buried once, however often it comes; another body under its number is another one', async () => {
    const refuse = async () => {
      throw new InvalidInput([{ path: 'text', message: 'expected text' }], 'alert');
    };
    const { buried, take } = setUp(refuse);
    await take('7', 0);
    await take('7', 1);
    expect(buried.size).toBe(1);
    await take('7', 0, { text: 'y' });
    expect(buried.size).toBe(2);
  });

  const accepted = { alertId: 'a', caseId: 'c', runId: 'r', joined: false };
  const refuseWrong = async (body: unknown) => {
    const { text } = body as { text: unknown };
    if (typeof text !== 'string')
      throw new InvalidInput([{ path: 'text', message: 'expected text' }], 'alert');
    return accepted;
  };

  it('returns the case of its alert, or the problem that made it a dead letter', async () => {
    const { take } = setUp(refuseWrong);
    expect(await take('7', 0)).toEqual(accepted);
    expect(await take('8', 0, { text: 7 })).toEqual({
      problem: expect.objectContaining({ reasonCode: 'invalid_input', errors: [expect.anything()] }),
    });
  });

  it('holds one alert or an array: each is taken or kept by itself, under a key of its own', async () => {
    const { take, acceptCalls, buried } = setUp(refuseWrong);
    const answer = await take('7', 0, [{ text: 'a' }, { text: 7 }, { text: 'c' }]);
    expect(answer).toEqual({
      results: [
        { index: 0, ...accepted },
        { index: 1, problem: expect.objectContaining({ reasonCode: 'invalid_input' }) },
        { index: 2, ...accepted },
      ],
    });
    expect(new Set(acceptCalls.map(({ ownKey }) => ownKey)).size).toBe(3);
    expect([...buried.values()].map(({ payload }) => payload)).toEqual([{ text: 7 }]);
    const tooMany = await take('8', 0, Array(4).fill({ text: 'x' }));
    expect(tooMany).toMatchObject({ problem: { detail: expect.stringContaining('1 to 3 alerts') } });
  });

  it('comes again as a whole where one alert of an array cannot be taken now', async () => {
    const full = new CasefileError('overloaded', 'full', { retryable: true });
    const { take } = setUp(async (body) => {
      if ((body as { text: string }).text === 'b') throw full;
      return accepted;
    });
    await expect(take('7', 0, [{ text: 'a' }, { text: 'b' }])).rejects.toBe(full);
  });

  it('names its lane by a field, which is no part of the alert', async () => {
    const { take, acceptCalls, buried } = setUp(refuseWrong);
    await take('7', 0, { text: 'a', lane: 'batch' });
    await take('8', 0, { text: 'a' });
    expect(acceptCalls.map(({ body, lane }) => [body, lane])).toEqual([
      [{ text: 'a' }, 'batch'],
      [{ text: 'a' }, 'live'],
    ]);
    await take('9', 0, { text: 'a', lane: 'replay' });
    expect([...buried.values()]).toMatchObject([{ message: expect.stringContaining('expected one of') }]);
  });
});
