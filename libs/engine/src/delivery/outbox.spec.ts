import { createHmac } from 'node:crypto';
import {
  noTelemetry,
  sessionOfRows,
  silentLogger,
  verdictSchema,
  type Deliveries,
  type EngagementDetails,
  type Json,
  type SessionRow,
  type PendingDelivery,
  type VerdictMessage,
} from '@casefile/contracts';
import { manualClock, until } from '@casefile/contracts/testing';
import { playbooks } from '@casefile/shipped/loaded';
import { Outbox, signMessage, type OutboxPorts } from './outbox.js';

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

/** Returns a record with this session, if any. */
const storeWith = (
  session: EngagementDetails | null,
  markDelivered: Deliveries['markDelivered'] = async () => undefined,
): OutboxPorts['store'] => ({
  deliveries: { pending: async () => [], of: async () => null, markDelivered },
  engagements: {
    get: async () => session,
    find: async () => ({ engagements: [], nextCursor: null }),
    close: async () => null,
  },
  lead: async () => ({ release: async () => undefined }),
  reviews: { takeCorrections: async () => [], markCorrectionsSent: async () => undefined },
});

/** Checks a message like a receiver that took it from the queue as JSON. */
function isOurs(received: VerdictMessage, key: string): boolean {
  const body = `${received.deliveryId}.${JSON.stringify(received.verdict)}`;
  return received.signature === `v1,${createHmac('sha256', key).update(body).digest('base64')}`;
}

describe('a verdict on the queue', () => {
  it('E-11 its signature distinguishes it from a forged one, after its way as JSON', async () => {
    const sent: VerdictMessage[] = [];
    const outbox = new Outbox({
      store: storeWith(null),
      playbooks,
      clock: manualClock(),
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

  it.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'is sent by the time its delivery ends, also when it comes %i turns after another was marked',
    async (turns) => {
      const sent: string[] = [];
      let marked: () => void = () => undefined;
      const first = new Promise<void>((resolve) => (marked = resolve));
      const outbox = new Outbox({
        store: storeWith(null, async () => marked()),
        playbooks,
        clock: manualClock(),
        queue: {
          publishVerdicts: async (messages) => void sent.push(...messages.map((one) => one.deliveryId)),
        },
        log: silentLogger,
        telemetry: noTelemetry,
        key: null,
      });
      void outbox.deliver(message);
      await first;
      for (let i = 0; i < turns; i += 1) await Promise.resolve();
      await outbox.deliver({ ...message, deliveryId: 'd-2' });
      expect(sent).toEqual(['d-1', 'd-2']);
    },
  );

  it('S4-15 sends of confidential sections no words', async () => {
    const sent: VerdictMessage[] = [];
    const outbox = new Outbox({
      store: storeWith(null),
      playbooks,
      clock: manualClock(),
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
    await outbox.deliver({
      ...message,
      playbook: 'policy-check',
      verdict: { ...verdict, outcome: { criteria: [criterion] } },
    });
    expect(JSON.stringify(sent)).not.toContain('secret words');
    expect(JSON.stringify(sent)).toContain('0004');
  });

  const ID = '01900000-0000-8000-a000-000000000001';
  const row = (runId: string): SessionRow => ({
    sessionId: ID,
    conversation: 'chat',
    closedAt: null,
    runId,
    caseId: 'c',
    action: 'engage',
    stage: 'opened',
    category: null,
    confidence: 0.9,
    redFlags: [],
    at: 'now',
  });
  const stageSent = async (session: EngagementDetails | null, conversation: Json): Promise<unknown> => {
    const sent: VerdictMessage[] = [];
    const outbox = new Outbox({
      store: storeWith(session),
      playbooks,
      clock: manualClock(),
      queue: { publishVerdicts: async (messages) => void sent.push(...messages) },
      log: silentLogger,
      telemetry: noTelemetry,
      key: null,
    });
    const opening = { stage: 'opened', category: null, confidence: 0.9, redFlags: [] };
    const engagement = { id: ID, ...(conversation === null ? {} : { conversation }), ...opening };
    await outbox.deliver({ ...message, verdict: { ...verdict, outcome: { action: 'engage', engagement } } });
    return (sent[0]?.verdict.outcome['engagement'] as { stage?: string } | undefined)?.stage;
  };

  it.each<[what: string, session: EngagementDetails | null, conversation: Json, stage: string]>([
    ['of no conversation', null, null, 'opened'],
    ['that is the first of its conversation', sessionOfRows([row('r')], 1, 'now'), 'chat', 'opened'],
    ['that is a later one', sessionOfRows([row('r'), row('q')], 2, 'now'), 'chat', 'continued'],
    [
      'that is the first, sent when there is a later one',
      sessionOfRows([row('q'), row('r')], 2, 'now'),
      'chat',
      'opened',
    ],
    [
      'whose session has more messages than are shown',
      sessionOfRows([row('q'), row('r')], 200, 'now'),
      'chat',
      'continued',
    ],
  ])('S3-45 says of a message %s what its session says', async (_what, session, conversation, stage) => {
    expect(await stageSent(session, conversation)).toBe(stage);
  });

  it('S4-15 leaves one of a kind that this process does not know for one that does', async () => {
    const [sent, marked]: [VerdictMessage[], string[]] = [[], []];
    const outbox = new Outbox({
      store: storeWith(null, async (ids) => void marked.push(...ids)),
      playbooks,
      clock: manualClock(),
      queue: { publishVerdicts: async (messages) => void sent.push(...messages) },
      log: silentLogger,
      telemetry: noTelemetry,
      key: null,
    });
    await outbox.deliver({ ...message, playbook: 'of-tomorrow' });
    await outbox.deliver({ ...message, deliveryId: 'd-2' });
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual(['d-2']);
    expect(marked).toEqual(['d-2']);
  });

  it('goes out without waiting until the record knows of those before it', async () => {
    const sent: string[][] = [];
    const marked: string[][] = [];
    let end = () => undefined as void;
    const held = new Promise<void>((resolve) => (end = resolve));
    const outbox = new Outbox({
      store: storeWith(null, (ids) => (marked.push(ids), held)),
      queue: { publishVerdicts: async (messages) => void sent.push(messages.map((one) => one.deliveryId)) },
      playbooks,
      clock: manualClock(),
      log: silentLogger,
      telemetry: noTelemetry,
      key: null,
    });
    const deliver = (deliveryId: string) => outbox.deliver({ ...message, deliveryId });
    const first = [deliver('d-1'), deliver('d-2')];
    await until('the first two are being marked', () => marked.length === 1);
    const second = deliver('d-3');
    await until('the third is being marked', () => marked.length === 2);
    expect(sent).toEqual([['d-1', 'd-2'], ['d-3']]);
    end();
    await Promise.all([...first, second]);
    expect(marked).toEqual(sent);
  });

  it('is sent late by one process alone, which reads again what still waits', async () => {
    const sent: string[] = [];
    let reads = 0;
    const late: PendingDelivery = { ...message, lane: 'live', verdict: verdict as never };
    const store = (leads: boolean): OutboxPorts['store'] => ({
      ...storeWith(null),
      deliveries: {
        pending: async () => ((reads += 1), reads === 2 ? [late] : [late, { ...late, deliveryId: 'd-2' }]),
        of: async () => null,
        markDelivered: async () => undefined,
      },
      lead: async () => (leads ? { release: async () => undefined } : null),
    });
    const outboxOn = (leads: boolean) =>
      new Outbox({
        store: store(leads),
        queue: { publishVerdicts: async (all) => void sent.push(...all.map((one) => one.deliveryId)) },
        playbooks,
        clock: manualClock(),
        log: silentLogger,
        telemetry: noTelemetry,
        key: null,
      });
    await outboxOn(true).flush(10, 0);
    await outboxOn(false).flush(10, 0);
    expect(sent).toEqual(['d-1']);
  });

  it('E-11 carries none where no key is set', () => {
    expect(signMessage(message, null)).toEqual(message);
  });
});
