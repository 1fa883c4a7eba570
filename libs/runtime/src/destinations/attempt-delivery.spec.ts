import type { NewPageLink } from '@casefile/contracts';
import { drawnSecret } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import fc from 'fast-check';
import { storedAnswer, MOST_ATTEMPTS, nextAttempt, newPageLink, pageLinkHash } from './attempt-delivery.js';
import { hook, message, senderBench, type Answer, id } from './testing/sender-bench.js';

const record = testRecord();
const [token, path, user, key, query] = [40, 24, 14, 32, 20].map((length, i) =>
  drawnSecret(length, 300 + i),
) as [string, string, string, string, string];
const SIGNING = Buffer.from(drawnSecret(32, 310)).toString('base64');

const DESTINATION = hook('echo', {
  url: `https://bot:${user}@echo.example/services/T0/${path}?token=${query}`,
  secret: `whsec_${SIGNING}`,
  headers: {
    authorization: `Bearer ${token}`,
    'proxy-authorization': `Basic ${Buffer.from(`ann:${key}`).toString('base64')}`,
    accept: 'application/json',
  },
});
const SECRETS = [token, path, user, key, query, SIGNING];

const echoes: [string, Answer][] = [
  ['headers as JSON', ({ request }) => answerOf(JSON.stringify(request.headers, null, 2))],
  ['headers as lines', ({ request }) => answerOf(linesOf(request.headers))],
  ['the URL', ({ request }) => answerOf(`no route ${request.url} (${new URL(request.url).pathname})`)],
  [
    'each value in base64',
    () => answerOf(SECRETS.map((one) => Buffer.from(one).toString('base64')).join(' ')),
  ],
  ['each value encoded for a URL', () => answerOf(SECRETS.map(encodeURIComponent).join('&'))],
  ['each value alone', () => answerOf(SECRETS.join('\n'))],
  ['a value that the end cuts off', () => answerOf(`got ${token.slice(0, 25)}`)],
  ['a secret of its own', () => answerOf(`DB_PASSWORD=${key} postgres://u:${user}@h.example/db`)],
];
const answerOf = (text: string) => ({ status: 500, retryAfterMs: null, text });
const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

describe('S2-48 the answer of a receiver', () => {
  it.each(echoes)('that repeats %s is stored without secrets', async (_what, answer) => {
    const { sender, deliveries } = senderBench(record().store, [DESTINATION], answer);
    await sender.route([message(1)]);
    await sender.idle();
    const [delivery] = await deliveries();
    const [attempt] = delivery!.attempts;
    expect(attempt!.response).toContain('[masked]');
    const stored = JSON.stringify(delivery);
    for (const secret of [...SECRETS, token.slice(0, 25)])
      for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
        expect(stored).not.toContain(spelling);
  });

  it('stays as it is otherwise', async () => {
    const text = '{"error":"rate_limited","host":"echo.example","accept":"application/json","id":"d-1"}';
    expect(await storedAnswer(text, DESTINATION, null)).toBe(text);
  });

  it('has no link by which the page can be acknowledged', async () => {
    const link = `https://casefile.example/acknowledge/${drawnSecret(43, 320)}`;
    const body = JSON.stringify({ acknowledgeLink: link });
    const plain = hook('plain');
    expect(await storedAnswer(body, plain, link)).toBe(
      '{"acknowledgeLink":"https://casefile.example/acknowledge/[masked]"}',
    );
  });

  it('that cannot be used is named without secrets, also in the reason of the failure', async () => {
    const slack = hook('slack', {
      type: 'slack',
      url: `https://slack.example/${path}`,
      secret: token,
      channel: 'C1',
    });
    const refusal = {
      status: 200,
      retryAfterMs: null,
      text: JSON.stringify({ ok: false, error: `bad ${token}` }),
    };
    const { sender, deliveries } = senderBench(record().store, [slack], () => refusal);
    await sender.route([message(1)]);
    await sender.idle();
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ attempts: [{ problem: 'Slack refused the message: bad [masked]' }] });
    expect(JSON.stringify(delivery)).not.toContain(token);
  });
});

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const WAITS = [5 * SECOND, 300 * SECOND, 1_800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

describe('the attempts of a delivery', () => {
  it('are 8: at 0, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h', () => {
    expect(MOST_ATTEMPTS).toBe(8);
    expect(WAITS.map((_, i) => nextAttempt(i + 1, 0, null, 0.5))).toEqual(WAITS);
    expect(nextAttempt(8, 0, 60_000, 0.5)).toBeNull();
  });

  it('are at most a fifth early or late, and never before the receiver wants them, within a day', () => {
    const drawn = fc.tuple(
      fc.integer({ min: 1, max: 7 }),
      fc.nat(10 ** 12),
      fc.option(fc.nat(2 * 24 * HOUR)),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(drawn, ([done, now, retryAfter, random]) => {
        const wait = (nextAttempt(done, now, retryAfter, random) ?? 0) - now;
        const planned = WAITS[done - 1] ?? 0;
        const wanted = Math.min(retryAfter ?? 0, 24 * HOUR);
        expect(wait).toBeGreaterThanOrEqual(Math.max(Math.floor(planned * 0.8), wanted));
        expect(wait).toBeLessThanOrEqual(Math.max(Math.ceil(planned * 1.2), wanted));
      }),
    );
  });
});

const NOW = Date.parse('2026-01-05T10:00:00.000Z');

/** Returns the link of a message, and what is stored of it. */
async function linkOf(over: object = {}, runId: string | null = id(1)) {
  const stored: NewPageLink[] = [];
  const links = { add: async (link: NewPageLink) => void stored.push(link) };
  const about = {
    kind: 'verdict' as const,
    caseId: id(2),
    verdict: message(1),
    severity: 'critical',
    ...over,
  };
  const delivery = { id: id(3), runId };
  const url = await newPageLink(
    { links, consoleUrl: 'https://casefile.example' },
    'oncall',
    delivery,
    about,
    NOW,
  );
  return { url, stored };
}

describe('the link of a page', () => {
  it('is random, valid for an hour, and stored as a digest with the delivery that carries it', async () => {
    const [first, second] = [await linkOf(), await linkOf()];
    expect(first.url).toMatch(/^https:\/\/casefile\.example\/acknowledge\/[A-Za-z0-9_-]{43}$/);
    expect(first.url).not.toBe(second.url);
    const token = first.url!.split('/').at(-1)!;
    expect(first.stored).toEqual([
      {
        tokenHash: pageLinkHash(token),
        deliveryId: id(3),
        destination: 'oncall',
        caseId: id(2),
        runId: id(1),
        severity: 'critical',
        expiresAt: NOW + 3_600_000,
      },
    ]);
  });

  it('has no text of a kind from outside as its severity', async () => {
    expect((await linkOf({ severity: 'the customer Ann' })).stored).toMatchObject([{ severity: 'unknown' }]);
  });

  it.each([
    ['the end of an alert', { kind: 'resolved' }],
    ['a condition', { kind: 'condition-opened', caseId: null }],
    [
      'a dismissing verdict',
      { verdict: { ...message(1), verdict: { ...message(1).verdict, disposition: 'dismiss' } } },
    ],
  ])('is not in %s', async (_what, over) => expect(await linkOf(over)).toEqual({ url: null, stored: [] }));

  it.each(['', 'a', 'a'.repeat(44), `${'a'.repeat(42)}/`])('%j is no token', (text) =>
    expect(pageLinkHash(text)).toBeNull(),
  );
});
