import {
  noTelemetry,
  silentLogger,
  verdictSchema,
  type PendingDelivery,
  type VerdictMessage,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { playbooks } from '@casefile/shipped/loaded';
import { Outbox, signMessage } from './outbox.js';

const KEY = 'a-key-of-the-spec-and-of-nothing-else';

it('S4-59 a corrected verdict leaves signed, with its id, and is marked only when it is out', async () => {
  const verdict = verdictSchema.parse({
    outcome: { action: 'ignore' },
    disposition: 'dismiss',
    confidence: 0.5,
    confidenceSource: 'llm',
    method: 'llm',
    reasons: [],
    citations: [],
    degraded: false,
    decidedAt: 'now',
    decidedBy: { person: 'ann', at: 'now', reason: 'seen' },
  });
  const about = {
    caseId: 'c',
    runId: 'r',
    playbook: 'message-screening',
    lane: 'live' as const,
    replaces: 'r',
  };
  const corrected: PendingDelivery = { ...about, deliveryId: 'd-9', verdict: { ...verdict } as never };
  const [sent, marked]: [VerdictMessage[], string[]] = [[], []];
  let isDown = true;
  const outbox = new Outbox({
    store: {
      deliveries: { pending: async () => [], of: async () => null, markDelivered: async () => undefined },
      engagements: {
        get: async () => null,
        find: async () => ({ engagements: [], nextCursor: null }),
        close: async () => null,
      },
      lead: async () => null,
      reviews: {
        takeCorrections: async () => [corrected],
        markCorrectionsSent: async (ids) => void marked.push(...ids),
      },
    },
    playbooks,
    clock: manualClock(),
    queue: {
      publishVerdicts: async (messages) => {
        if (isDown) throw new Error('the queue is down');
        sent.push(...messages);
      },
    },
    log: silentLogger,
    telemetry: noTelemetry,
    key: KEY,
  });
  await expect(outbox.flushCorrections(10)).rejects.toThrow('down');
  expect(marked).toEqual([]);
  isDown = false;
  await outbox.flushCorrections(10);
  expect(marked).toEqual(['d-9']);
  expect(sent).toMatchObject([{ ...about, deliveryId: 'd-9', verdict }]);
  // The signature is over the verdict as it was sent.
  expect(sent).toEqual(sent.map(({ signature: _, ...message }) => signMessage(message, KEY)));
});
