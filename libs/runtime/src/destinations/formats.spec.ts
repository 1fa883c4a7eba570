import { createHmac, timingSafeEqual } from 'node:crypto';
import { verdictSchema } from '@casefile/contracts';
import fc from 'fast-check';
import type { ConfiguredDestination } from '../config/destination-settings.js';
import { fillTemplate } from './fill-template.js';
import { OUTBOUND_FORMATS } from './formats.js';
import { templateFields, type OutboundMessage } from './outbound-message.js';

const NOW = Date.parse('2026-01-05T10:00:00Z');
const KEY = Buffer.alloc(24, 7);
const verdict = verdictSchema.parse({
  outcome: { severity: 'critical' },
  disposition: 'act',
  confidence: 0.9,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: [],
  citations: [],
  degraded: false,
  decidedAt: '2026-01-05T09:59:59.000Z',
});
const message: OutboundMessage = {
  deliveryId: 'd-1',
  kind: 'verdict',
  createdAt: '2026-01-05T10:00:00.000Z',
  caseId: 'c-1',
  verdict: { deliveryId: 'd-1', caseId: 'c-1', runId: 'r-1', playbook: 'k', lane: 'live', verdict },
  condition: null,
  review: null,
  acknowledgeLink: null,
  auditHead: null,
  title: 'PAGE: <!channel> & all',
  text: 'PAGE: <!channel>\nSince: now',
  link: 'https://casefile.example/cases/c-1',
  word: 'page',
  severity: 'critical',
};
const destination = (over: Partial<ConfiguredDestination>): ConfiguredDestination => ({
  name: 'x',
  type: 'webhook',
  url: 'https://receiver.example/x',
  when: {},
  allowPrivate: false,
  ...over,
});
const requestOf = (over: Partial<ConfiguredDestination>, content = message, thread: string | null = null) => {
  const one = destination(over);
  const { headers, body, url } = OUTBOUND_FORMATS[one.type].request(one, content, thread, NOW);
  return { headers, url, text: body, body: JSON.parse(body) as Record<string, unknown> };
};

describe('a webhook', () => {
  const secret = `whsec_${KEY.toString('base64')}`;

  it('is signed by Standard Webhooks: HMAC-SHA256 of id, time and body by the bytes of the key', () => {
    const { headers, text, body } = requestOf({ secret });
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature = '' } = headers;
    expect([id, at]).toEqual(['d-1', String(NOW / 1000)]);
    const expected = createHmac('sha256', KEY).update(`${id}.${at}.${text}`).digest();
    expect(timingSafeEqual(expected, Buffer.from(signature.replace('v1,', ''), 'base64'))).toBe(true);
    expect(body).toMatchObject({
      type: 'verdict.decided',
      timestamp: message.createdAt,
      data: {
        deliveryId: 'd-1',
        caseId: 'c-1',
        playbook: 'k',
        verdict: { disposition: 'act' },
        text: message.text,
      },
    });
  });

  it('is a CloudEvent if the format says so', () => {
    const { headers, body } = requestOf({ format: 'cloudevents', secret });
    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(headers['webhook-signature']).toMatch(/^v1,/);
    expect(body).toMatchObject({
      specversion: '1.0',
      id: 'd-1',
      type: 'casefile.verdict.decided',
      subject: 'c-1',
      source: '/casefile',
      data: { caseId: 'c-1' },
    });
  });
});

interface Block {
  text?: { type: string };
  elements?: { url: string }[];
}

describe('Slack', () => {
  it('gets text that cannot mention anyone, and a button with the link', () => {
    const { body } = requestOf({ type: 'slack' });
    expect(body['text']).toBe('PAGE: &lt;!channel&gt; &amp; all');
    expect((body['blocks'] as Block[]).map((block) => block.text?.type ?? block.elements?.[0]?.url)).toEqual([
      'plain_text',
      'plain_text',
      message.link,
    ]);
    expect(body).not.toHaveProperty('thread_ts');
  });

  it('keeps a thread per case where a channel is set, and takes ok: false for a failure', () => {
    const one = { type: 'slack', channel: 'C1', secret: 'xoxb-1' } as const;
    const { headers, body } = requestOf(one, message, '17.5');
    expect(headers['authorization']).toBe('Bearer xoxb-1');
    expect(body).toMatchObject({ channel: 'C1', thread_ts: '17.5' });
    const read = (text: string) => OUTBOUND_FORMATS.slack.read?.(destination(one), text);
    expect(read('{"ok":true,"ts":"17.5"}')).toEqual({ thread: '17.5' });
    expect(read('{"ok":false,"error":"not_in_channel"}')).toEqual({
      problem: 'Slack refused the message: not_in_channel',
    });
    expect(read('<html>')).toHaveProperty('problem');
    expect(OUTBOUND_FORMATS.slack.read?.(destination({ type: 'slack' }), 'ok')).toBeUndefined();
  });
});

describe('PagerDuty', () => {
  const one = { type: 'pagerduty', secret: 'R1' } as const;

  it('gets a trigger with the case as its key', () => {
    expect(requestOf(one).body).toMatchObject({
      routing_key: 'R1',
      event_action: 'trigger',
      dedup_key: 'c-1',
      payload: {
        severity: 'critical',
        source: 'k',
        timestamp: verdict.decidedAt,
        custom_details: { deliveryId: 'd-1' },
      },
      links: [{ href: message.link }, { href: `${message.link}?acknowledge=1`, text: 'Acknowledge' }],
    });
  });

  it('gets a resolve with the same key when the trouble is over, or a verdict says that there is none', () => {
    const dismissed = {
      ...message,
      verdict: { ...message.verdict!, verdict: { ...verdict, disposition: 'dismiss' as const } },
    };
    for (const given of [{ ...message, kind: 'resolved' as const }, dismissed])
      expect(requestOf(one, given).body).toMatchObject({ event_action: 'resolve', dedup_key: 'c-1' });
  });

  it('gets an acknowledge with the same key, without a link to acknowledge again', () => {
    const { body } = requestOf(one, { ...message, kind: 'acknowledged' });
    expect(body).toMatchObject({
      event_action: 'acknowledge',
      dedup_key: 'c-1',
      links: [{ href: message.link }],
    });
  });

  it('names a severity that it knows', () => {
    const severityOf = (severity: string, kind: OutboundMessage['kind'] = 'verdict') =>
      requestOf(one, { ...message, severity, kind }).body['payload'];
    expect(['warning', 'unknown', 'P1'].map((each) => severityOf(each))).toMatchObject([
      { severity: 'warning' },
      { severity: 'error' },
      { severity: 'error' },
    ]);
    expect(severityOf('critical', 'test')).toMatchObject({ severity: 'info' });
  });
});

describe('a body template', () => {
  it('writes values into JSON so that they stay inside their quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const fields = { ...templateFields(message), text };
        const filled = fillTemplate('{"a":["{{text}}"]}', 'application/json', fields);
        expect(JSON.parse(filled)).toEqual({ a: [text] });
      }),
    );
  });

  it('encodes forms, leaves text as it is, and fills no field within a value again', () => {
    const fields = { ...templateFields(message), text: 'a&b={{title}}' };
    expect(fillTemplate('t={{text}}', 'application/x-www-form-urlencoded', fields)).toBe(
      't=a%26b%3D%7B%7Btitle%7D%7D',
    );
    expect(fillTemplate('{{text}}!', 'text/plain', fields)).toBe('a&b={{title}}!');
  });
});
