import {
  DELIVERY_KINDS,
  DESTINATION_TYPES,
  type DeliveryEvent,
  type DeliveryKind,
  type TakenDelivery,
} from '@casefile/contracts';
import { playbooks } from '@casefile/shipped/loaded';
import { messageComposer } from './compose-message.js';
import { OUTBOUND_FORMATS } from './formats.js';
import { EVENT_TYPES, TEMPLATE_FIELDS, type OutboundMessage } from './outbound-message.js';
import { hook, id, message } from './testing/sender-bench.js';

const NOW = Date.parse('2026-01-05T10:00:00Z');
const condition = {
  id: 'provider_out',
  severity: 'error' as const,
  since: '2026-01-05T09:58:00.000Z',
  text: 'The provider is not available: openai',
  effect: 'Its cases wait.',
  act: 'Check its key.',
  link: '/#providers',
  openedAt: '2026-01-05T09:58:05.000Z',
  closedAt: null,
};
const closed = { ...condition, closedAt: '2026-01-05T10:00:00.000Z' };
const review = { since: '2026-01-05T09:00:00.000Z', withinHours: 24 };
const aboutNoCase = { caseId: null, runId: null };
/** What differs from a delivery of a verdict, for each kind. */
const OVER: Readonly<Record<DeliveryKind, Partial<TakenDelivery>>> = {
  verdict: {},
  resolved: {},
  flapping: {},
  acknowledged: {},
  test: aboutNoCase,
  'condition-opened': { ...aboutNoCase, event: { condition } },
  'condition-closed': { ...aboutNoCase, event: { condition: closed } },
  'review-needed': { event: { verdictId: 'verdict-1', review } },
  'review-overdue': { event: { review } },
  'review-answered': { event: { verdictId: 'verdict-1' } },
  'audit-head': { ...aboutNoCase, event: { auditHead: `1284:${'0a'.repeat(32)}` } },
  'delivery-failing': {
    ...aboutNoCase,
    event: { condition: { ...condition, id: 'destination_failing.team' } },
  },
};

const compose = messageComposer({
  store: {
    engagements: { get: async () => null } as never,

    storms: { ofRun: async () => null },
    deliveries: { of: async () => message(1) },
    record: { getRun: async () => ({ artifacts: [] }) as never, resolvedAt: async () => null },
  },
  playbooks,
  consoleUrl: 'https://casefile.example',
});
const messageOf = (
  kind: DeliveryKind,
  more: DeliveryEvent | null = null,
  sentText: string | null = null,
): Promise<OutboundMessage> => {
  const over = OVER[kind];
  return compose('x', {
    id: id(9),
    kind,
    key: 'verdict-1',
    caseId: id(1),
    runId: id(1),
    attempts: 0,
    message: sentText,
    event: null,
    createdAt: '2026-01-05T10:00:00.000Z',
    ...over,
    ...(more === null ? {} : { event: { ...over.event, ...more } }),
  });
};
const template = TEMPLATE_FIELDS.map((field) => `"${field}": "{{${field}}}"`).join(', ');
const FIELDS = {
  webhook: {},
  slack: { channel: 'C1', secret: 'token' },
  pagerduty: { secret: 'key' },
  template: { body: `{ ${template} }` },
};

describe('every format', () => {
  const all = DESTINATION_TYPES.flatMap((type) => DELIVERY_KINDS.map((kind) => [type, kind] as const));

  it.each(all)('%s renders %s as JSON with its title and its link', async (type, kind) => {
    const content = await messageOf(kind);
    const destination = hook('x', { type, ...FIELDS[type] });
    const { body } = OUTBOUND_FORMATS[type].request(destination, content, null, NOW);
    expect(content.text.length).toBeLessThanOrEqual(1_200);
    const text = JSON.stringify(JSON.parse(body));
    for (const part of [content.title, content.link])
      expect(text).toContain(JSON.stringify(part).slice(1, -1));
    expect(text).not.toMatch(/\{\{|undefined|\[object/);
  });

  it('of webhooks names each kind differently', async () => {
    const types = await Promise.all(
      DELIVERY_KINDS.map(async (kind) => {
        const { body } = OUTBOUND_FORMATS.webhook.request(hook('x'), await messageOf(kind), null, NOW);
        return (JSON.parse(body) as { type: string }).type;
      }),
    );
    expect(types).toEqual(DELIVERY_KINDS.map((kind) => EVENT_TYPES[kind]));
    expect(new Set(types).size).toBe(DELIVERY_KINDS.length);
  });
});

describe('an escalated message', () => {
  it.each(DELIVERY_KINDS)('%s states in title and text why another destination got it', async (kind) => {
    const { title, text } = await messageOf(kind);
    for (const [words, more] of [
      ['Not accepted by oncall: ', { escalatedFrom: 'oncall' }],
      ['Not acknowledged at oncall: ', { escalatedFrom: 'oncall', escalatedWhy: 'not-acknowledged' }],
    ] as const) {
      const escalated = await messageOf(kind, more);
      expect(escalated.title).toBe(`${words}${title}`);
      // A receiver may get the text alone.
      expect(escalated.text).toBe(`${words}${text}`);
    }
  });

  it('has at most 1,200 characters, and ends with its link', async () => {
    const long = 'long '.repeat(500);
    const event = {
      condition: { ...condition, text: long, effect: long, act: long },
      escalatedFrom: 'oncall',
    };
    const { text, link } = await messageOf('condition-opened', event);
    expect(text.length).toBeLessThanOrEqual(1_200);
    expect(text.split('\n').at(-1)).toBe(link);
  });

  it('keeps the text of its first attempt', async () => {
    const first = await messageOf('verdict', { escalatedFrom: 'oncall' });
    const again = await messageOf('verdict', { escalatedFrom: 'oncall' }, first.text);
    expect(again.text).toBe(first.text);
  });
});

describe('a review', () => {
  it('is the alert of its case in PagerDuty, which its end resolves', async () => {
    const kinds = ['review-needed', 'review-overdue', 'review-answered'] as const;
    const bodies = await Promise.all(
      kinds.map(async (kind) => {
        const destination = hook('x', { type: 'pagerduty', secret: 'key' });
        const { body } = OUTBOUND_FORMATS.pagerduty.request(destination, await messageOf(kind), null, NOW);
        return JSON.parse(body) as object;
      }),
    );
    expect(bodies).toMatchObject(
      ['trigger', 'trigger', 'resolve'].map((event_action) => ({ event_action, dedup_key: id(1) })),
    );
  });
});

describe('a condition', () => {
  it('is one alert of PagerDuty, which its end resolves', async () => {
    const bodies = await Promise.all(
      (['condition-opened', 'condition-closed'] as const).map(async (kind) => {
        const destination = hook('x', { type: 'pagerduty', secret: 'key' });
        const { body } = OUTBOUND_FORMATS.pagerduty.request(destination, await messageOf(kind), null, NOW);
        return JSON.parse(body) as object;
      }),
    );
    const key = { dedup_key: 'casefile-condition-provider_out' };
    expect(bodies).toMatchObject([
      {
        ...key,
        event_action: 'trigger',
        payload: { severity: 'error', summary: `ERROR: ${condition.text}` },
      },
      { ...key, event_action: 'resolve', payload: { summary: `CLOSED: ${condition.text}` } },
    ]);
  });

  it('has its text, effect, remedy and page in the message, cut to 1,200 characters', async () => {
    expect((await messageOf('condition-opened')).text).toBe(
      [
        'ERROR: The provider is not available: openai',
        'Since: 2026-01-05T09:58:00.000Z',
        'Effect: Its cases wait.',
        'To do: Check its key.',
        'https://casefile.example/#providers',
      ].join('\n'),
    );
    const long = 'long '.repeat(500);
    const whole = { ...condition, text: long, effect: long, act: long };
    const { text } = await compose('x', {
      id: id(9),
      kind: 'condition-opened',
      key: 'opened',
      ...aboutNoCase,
      attempts: 0,
      message: null,
      event: { condition: whole },
      createdAt: '2026-01-05T10:00:00.000Z',
    });
    expect(text.length).toBeLessThanOrEqual(1_200);
  });
});
