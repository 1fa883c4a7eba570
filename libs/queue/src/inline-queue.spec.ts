import { silentLogger } from '@casefile/contracts';
import { createInlineQueue } from './inline-queue.js';
import { describeQueue } from './testing/queue.conformance.js';
import { aNudge, aVerdictMessage } from './testing/queue-harness.js';

describeQueue('nothing but this process', async () => {
  const queue = createInlineQueue({ log: silentLogger, attempts: 3, slots: { live: 1, bulk: 1 } });
  return {
    queue,
    attempts: 3,
    empty: async () => queue.clear(),
    addAlert: async (body, id) => queue.addAlert(body as { text: string }, id),
    consume: async (handlers) => {
      for (const [topic, handle] of Object.entries(handlers)) queue.on(topic, handle);
      return { pause: async () => queue.pause(), close: () => queue.close() };
    },
    close: () => queue.close(),
  };
});

describe('the inline queue', () => {
  it('drains: what the handlers nudge on is done too', async () => {
    const queue = createInlineQueue({ log: silentLogger });
    const seen: string[] = [];
    queue.on('triage', async (payload) => {
      seen.push('triage');
      await queue.nudge([aNudge({ ...(payload as object), stage: 'reason' })]);
    });
    queue.on('reason', async () => void seen.push('reason'));
    await queue.nudge([aNudge({ stage: 'triage' }), aNudge({ stage: 'triage' })]);
    expect(seen).toEqual([]);
    await queue.drain();
    expect(seen.sort()).toEqual(['reason', 'reason', 'triage', 'triage']);
    expect(queue.counts).toEqual({ added: 4, duplicates: 0, completed: 4, retried: 0, failed: 0 });
  });

  it('leaves what has no handler where it is', async () => {
    const queue = createInlineQueue({ log: silentLogger });
    const nudge = aNudge({ stage: 'nobody' });
    await queue.nudge([nudge]);
    await queue.drain();
    expect(await queue.alive([nudge])).toEqual([true]);
  });

  it('keeps published verdicts in their order', async () => {
    const queue = createInlineQueue({ log: silentLogger });
    await queue.publishVerdicts([aVerdictMessage('d-2'), aVerdictMessage('d-1'), aVerdictMessage('d-2')]);
    expect(queue.published.map((message) => message.deliveryId)).toEqual(['d-2', 'd-1']);
  });
});
