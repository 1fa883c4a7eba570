import { drawnSecret } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { storedAnswer } from './stored-answer.js';
import { hook, message, senderBench, type Answer } from './testing/sender-bench.js';

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
