import { createHmac } from 'node:crypto';
import { noTelemetry, silentLogger, verdictSchema, type VerdictMessage } from '@casefile/contracts';
import { Outbox, signed } from './outbox.js';

const KEY = 'a-key-of-the-spec-and-of-nothing-else';
const verdict = verdictSchema.parse({
  outcome: { action: 'ignore', text: 'मत "\u2028' },
  disposition: 'review',
  confidence: 0.5,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: [],
  citations: [],
  degraded: false,
  decidedAt: 'now',
});
const message: VerdictMessage = {
  deliveryId: 'd-1',
  caseId: 'c',
  runId: 'r',
  playbook: 'message-screening',
  lane: 'live',
  verdict,
};

/** As a receiver checks a message that it took from the queue as JSON. */
function isOurs(received: VerdictMessage, key: string): boolean {
  const body = `${received.deliveryId}.${JSON.stringify(received.verdict)}`;
  return received.signature === `v1,${createHmac('sha256', key).update(body).digest('base64')}`;
}

describe('a verdict on the queue', () => {
  it('E-11 is told by its signature from one that somebody else put there, after its way as JSON', async () => {
    const sent: VerdictMessage[] = [];
    const outbox = new Outbox({
      store: { pendingDeliveries: async () => [], markDelivered: async () => undefined },
      queue: { publishVerdicts: async (messages) => void sent.push(...messages) },
      log: silentLogger,
      telemetry: noTelemetry,
      key: KEY,
    });
    await outbox.deliver(message);
    const [received] = JSON.parse(JSON.stringify(sent)) as [VerdictMessage];
    expect(isOurs(received, KEY)).toBe(true);
    expect(isOurs({ ...received, deliveryId: 'd-2' }, KEY)).toBe(false);
    expect(isOurs({ ...received, verdict: { ...received.verdict, disposition: 'act' } }, KEY)).toBe(false);
    expect(isOurs(received, `${KEY}!`)).toBe(false);
    expect(isOurs(message, KEY)).toBe(false);
  });

  it('S4-15 sends of confidential sections no words', async () => {
    const sent: VerdictMessage[] = [];
    const outbox = new Outbox({
      store: { pendingDeliveries: async () => [], markDelivered: async () => undefined },
      queue: { publishVerdicts: async (messages) => void sent.push(...messages) },
      log: silentLogger,
      telemetry: noTelemetry,
      key: null,
    });
    const criterion = {
      id: 'c',
      text: 't',
      status: 'MET',
      confidence: 1,
      rationale: 'secret words',
      refuted: [],
      citations: [{ kind: 'quote', nodeId: '0004', quote: 'secret words', title: 'T', pages: null }],
      reasonCode: null,
      claimed: null,
      policy: { policyId: 'p', version: 1 },
      strategy: 'react',
      promptId: null,
      model: null,
      iterations: 0,
      tokens: { input: 0, output: 0 },
      costUsd: 0,
      trace: [],
      withheld: { nodeIds: ['0004'], rationale: 'withheld' },
    };
    await outbox.deliver({ ...message, verdict: { ...verdict, outcome: { criteria: [criterion] } } });
    expect(JSON.stringify(sent)).not.toContain('secret words');
    expect(JSON.stringify(sent)).toContain('0004');
  });

  it('E-11 carries none where no key is set', () => {
    expect(signed(message, null)).toEqual(message);
  });
});
