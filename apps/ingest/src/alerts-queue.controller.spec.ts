import { InvalidInput } from '@casefile/contracts';
import type { JobContext, Platform } from '@casefile/runtime';
import { AlertsQueueController } from './alerts-queue.controller.js';

interface Buried {
  id: string;
  reasonCode: string;
  message: string;
  payload: unknown;
}

function setUp(accept: () => Promise<unknown>) {
  const buried = new Map<string, Buried>();
  let asked = 0;
  const platform = {
    intake: { accept: () => ((asked += 1), accept()) },
    store: { deadLetters: { bury: async (entry: Buried) => void buried.set(entry.id, entry) } },
    log: { warn: () => undefined },
  } as unknown as Platform;
  const controller = new AlertsQueueController(platform);
  const take = (jobId: string, stalls: number, body: unknown = { text: 'x' }) =>
    controller.take(body, { jobId, stalls } as JobContext);
  return { buried, take, asked: () => asked };
}

describe('a job of the queue alerts', () => {
  it('E-02 that began three times and never ended is buried, and not begun a fourth time', async () => {
    const { buried, take, asked } = setUp(async () => undefined);
    await take('7', 2);
    expect([asked(), buried.size]).toEqual([1, 0]);
    await take('7', 3);
    expect(asked()).toBe(1);
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
});
