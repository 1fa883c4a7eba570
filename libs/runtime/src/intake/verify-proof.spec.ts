import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { webhookSettingsSchema, type WebhookProof } from '../config/webhook-settings.js';
import { BadSignature, type Post } from './format.js';
import { verifyProof } from './verify-proof.js';

const SECRET = 'a-secret-of-this-webhook';
const NOW = Date.parse('2026-01-05T10:00:00Z');
const SECONDS = String(NOW / 1000);
const BODY = '{"alert":"Disk full","host":"db-1"}';

const proofOf = (proof: object): WebhookProof => {
  const webhook = { playbook: 'any', preset: 'any', proof: { ...proof, secret: '${NAME}' } };
  return webhookSettingsSchema.parse({ one: webhook })['one']!.proof;
};
const mac = (text: string, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256', secret = SECRET) =>
  createHmac(algorithm, secret).update(text).digest(encoding);
const holds = (proof: object, headers: Post['headers'], raw: string | Uint8Array = BODY, now = NOW) => {
  try {
    verifyProof(proofOf(proof), { raw: Buffer.from(raw), headers }, SECRET, now);
    return true;
  } catch (thrown) {
    if (thrown instanceof BadSignature) return false;
    throw thrown;
  }
};

/** Proofs of real senders: the settings, and the headers of a valid proof. */
const SENDERS: [what: string, proof: object, headers: Post['headers']][] = [
  [
    'GitHub',
    { hmac: { header: 'X-Hub-Signature-256', prefix: 'sha256=' } },
    { 'x-hub-signature-256': `sha256=${mac(BODY)}` },
  ],
  [
    'PagerDuty while its secret changes',
    { hmac: { header: 'X-PagerDuty-Signature', prefix: 'v1=' } },
    { 'x-pagerduty-signature': `v1=${mac(BODY, 'hex', 'sha256', 'the secret before')},v1=${mac(BODY)}` },
  ],
  ['Sentry', { hmac: 'Sentry-Hook-Signature' }, { 'sentry-hook-signature': mac(BODY) }],
  [
    'a sender that signs in base64',
    { hmac: { header: 'X-Hmac', encoding: 'base64', algorithm: 'sha512' } },
    { 'x-hmac': mac(BODY, 'base64', 'sha512') },
  ],
  [
    'a sender that signs by SHA-1',
    { hmac: { header: 'X-Sum', algorithm: 'sha1' } },
    { 'x-sum': mac(BODY, 'hex', 'sha1') },
  ],
  [
    'Grafana',
    {
      hmac: {
        header: 'X-Grafana-Alerting-Signature',
        timestamp: 'X-Grafana-Alerting-Timestamp',
        content: '{timestamp}:{body}',
      },
    },
    {
      'x-grafana-alerting-signature': mac(`${SECONDS}:${BODY}`),
      'x-grafana-alerting-timestamp': SECONDS,
    },
  ],
  [
    'Slack',
    {
      hmac: {
        header: 'X-Slack-Signature',
        prefix: 'v0=',
        timestamp: 'X-Slack-Request-Timestamp',
        content: 'v0:{timestamp}:{body}',
      },
    },
    { 'x-slack-signature': `v0=${mac(`v0:${SECONDS}:${BODY}`)}`, 'x-slack-request-timestamp': SECONDS },
  ],
  [
    'a sender with time and signature in one header',
    {
      hmac: {
        header: 'X-Signature',
        prefix: 'v1=',
        timestamp: { header: 'X-Signature', prefix: 't=' },
        content: '{timestamp}.{body}',
      },
    },
    { 'x-signature': `t=${NOW},v1=${mac(`${NOW}.${BODY}`)}` },
  ],
  ['a token', { header: 'X-Token' }, { 'x-token': SECRET }],
  [
    'a bearer token',
    { header: { name: 'Authorization', prefix: 'Bearer ' } },
    { authorization: `Bearer ${SECRET}` },
  ],
];

describe('the proof of a webhook', () => {
  it.each(SENDERS)('S2-40 of %s holds, and for no other body, secret or header', (_what, proof, headers) => {
    const isToken = !('hmac' in proof);
    expect(holds(proof, headers)).toBe(true);
    expect(holds(proof, headers, BODY.replace('full', 'fine'))).toBe(isToken);
    expect(holds(proof, {})).toBe(false);
    for (const [name, sent] of Object.entries(headers))
      for (const wrong of [
        '',
        `${String(sent)}x`,
        String(sent).replace(/.$/, (end) => (end === '0' ? '1' : '0')),
      ])
        expect(holds(proof, { ...headers, [name]: wrong })).toBe(false);
  });

  it.each(SENDERS.filter(([, proof]) => JSON.stringify(proof).includes('timestamp')))(
    'S2-40 of %s holds for five minutes',
    (_what, proof, headers) => {
      for (const minutes of [-4, 4]) expect(holds(proof, headers, BODY, NOW + minutes * 60_000)).toBe(true);
      for (const minutes of [-6, 6]) expect(holds(proof, headers, BODY, NOW + minutes * 60_000)).toBe(false);
    },
  );

  it('S2-40 holds for any body that was signed, and for none in which a byte differs', () => {
    const proof = { hmac: { header: 'x-signature', encoding: 'base64' } };
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (body, at, by) => {
          const headers = { 'x-signature': createHmac('sha256', SECRET).update(body).digest('base64') };
          expect(holds(proof, headers, body)).toBe(true);
          const other = Uint8Array.from(body);
          const place = at % body.length;
          other[place] = (other[place] ?? 0) ^ by;
          expect(holds(proof, headers, other)).toBe(false);
        },
      ),
    );
  });

  it('S2-40 holds for no header that anyone makes up, however long it is', () => {
    const proofs = [...SENDERS.map(([, proof]) => proof), { hmac: { header: 'x-token', prefix: '' } }];
    fc.assert(
      fc.property(fc.constantFrom(...proofs), fc.string({ maxLength: 2_000 }), (proof, text) => {
        const names = JSON.stringify(proof).match(/[Xx]-[\w-]+|Sentry-[\w-]+|Authorization/g) ?? [];
        const headers = Object.fromEntries(names.map((name) => [name.toLowerCase(), text]));
        expect(holds(proof, headers)).toBe(false);
      }),
    );
  });

  it('S2-40 says what was expected, and asks for a password where the sender waits to be asked', () => {
    const refusal = (proof: object) => {
      try {
        verifyProof(proofOf(proof), { raw: Buffer.from(''), headers: {} }, SECRET, NOW);
      } catch (thrown) {
        return thrown as BadSignature;
      }
      return null;
    };
    const hmac = refusal({ hmac: { header: 'X-Hub-Signature-256', prefix: 'sha256=' } });
    expect(hmac?.message).toContain(
      'x-hub-signature-256 with "sha256=" and the hex of the HMAC-SHA256 of {body}',
    );
    expect(hmac?.message).not.toContain(SECRET);
    expect(hmac?.challenge).toBeUndefined();
    expect(refusal({ header: { name: 'Authorization', prefix: 'Basic ' } })?.challenge).toMatch(
      /^Basic realm=/,
    );
  });
});
