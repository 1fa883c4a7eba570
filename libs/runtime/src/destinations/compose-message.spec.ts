import type { TakenDelivery } from '@casefile/contracts';
import { playbooks } from '@casefile/shipped/loaded';
import { messageComposer } from './compose-message.js';
import { id, message } from './testing/sender-bench.js';

describe('messages about a verdict to several destinations', () => {
  const delivery: TakenDelivery = {
    id: id(9),
    kind: 'verdict',
    key: 'verdict-1',
    caseId: id(1),
    runId: id(1),
    attempts: 0,
    message: null,
    event: null,
    createdAt: '2026-01-05T10:00:00.000Z',
  };

  it('share what is read while they are composed at the same time, and nothing later', async () => {
    const getRun = jest.fn(async () => ({ artifacts: [] }) as never);
    const of = jest.fn(async () => message(1));
    const compose = messageComposer({
      store: {
        engagements: undefined as never,

        storms: { ofRun: async () => null },
        deliveries: { of },
        record: { getRun, resolvedAt: jest.fn() },
      },
      playbooks,
      consoleUrl: 'https://casefile.example',
    });
    const [a, b] = await Promise.all([compose('a', delivery), compose('b', { ...delivery, id: id(8) })]);
    expect([getRun.mock.calls.length, of.mock.calls.length]).toEqual([1, 1]);
    expect(a).toEqual({ ...b, deliveryId: id(9), verdict: { ...b.verdict, deliveryId: id(9) } });
    await compose('a', delivery);
    expect(getRun).toHaveBeenCalledTimes(2);
  });

  it('all fail if it cannot be read, and the next attempt reads it again', async () => {
    const getRun = jest.fn(async () => null);
    const compose = messageComposer({
      store: {
        engagements: undefined as never,

        storms: { ofRun: async () => null },
        deliveries: { of: async () => message(1) },
        record: { getRun, resolvedAt: jest.fn() },
      },
      playbooks,
      consoleUrl: 'https://casefile.example',
    });
    const failed = { reasonCode: 'not_found' };
    const both = await Promise.allSettled([compose('a', delivery), compose('b', delivery)]);
    expect(both).toMatchObject([{ reason: failed }, { reason: failed }]);
    await expect(compose('a', delivery)).rejects.toMatchObject(failed);
    expect(getRun).toHaveBeenCalledTimes(2);
  });
});
