import fc from 'fast-check';
import { alertInputSchema, InvalidInput, type Json, type JsonObject } from '@casefile/contracts';
import { playbooks } from '@casefile/shipped/loaded';
import { webhookSettingsSchema } from '../config/webhook-settings.js';
import { customWebhook } from './custom-webhook.js';
import type { ReadAlert } from './format.js';
import { exampleGroup } from './formats/alertmanager.js';

const BY_SETTING = { rule: 'setting', why: 'The setting webhooks.own.playbook names it.' };
const SETTINGS = { maxBatch: 5 } as never;

const webhook = (how: object, playbook = 'incident') => {
  const proof = { header: 'X-Token', secret: '${TOKEN}' };
  const { own } = webhookSettingsSchema.parse({ own: { playbook, proof, ...how } });
  return customWebhook({ ...own!, name: 'own' });
};
const read = (how: object, body: unknown, playbook?: string): ReadAlert[] =>
  webhook(how, playbook).read({ body, raw: new Uint8Array(), headers: {} }, SETTINGS, true);
/** Returns the problems of an alert: those of the webhook, or otherwise those of the kind of case. */
const problemsOf = (one: ReadAlert | undefined) => {
  if (one === undefined || 'problems' in one) return one?.problems ?? [];
  const alert = alertInputSchema.parse(one.alert);
  return playbooks.find(({ name }) => name === alert.playbook)?.intake.problems(alert) ?? [];
};

describe('a webhook of the settings', () => {
  const body = {
    job: { title: '', name: 'nightly-db', id: 7 },
    error: 'No space left',
    tags: ['host:db-1', 'port:5432'],
    urls: ['https://backup.example/7', 'https://backup.example/log/7'],
  };

  it('S2-40 reads the first pointer that leads to a value into each field, and keeps the whole body', () => {
    const mapping = {
      name: ['/job/title', '/nothing/here', '/job/name', '/error'],
      summary: '/error',
      severity: '/level',
      key: '/job/id',
      links: '/urls',
      labels: '/tags',
    };
    const [one] = read({ mapping }, body);
    expect(one).toEqual({
      chosenBy: BY_SETTING,
      alert: {
        playbook: 'incident',
        source: 'own',
        labels: { host: 'db-1', port: '5432' },
        payload: {
          alert: {
            name: 'nightly-db',
            summary: 'No space left',
            key: '7',
            links: body.urls,
            labels: { host: 'db-1', port: '5432' },
          },
          sent: body,
          webhook: { name: 'own', reads: 'mapped' },
        },
      },
    });
    expect(problemsOf(one)).toEqual([]);
  });

  it('S2-40 takes a message that is sent again once, by its own id', () => {
    const mapping = { name: '/job/name', deliveryId: '/job/id' };
    const keys = [body, body, { job: { name: 'x', id: 8 } }, { job: { name: 'x' } }].map((sent) => {
      const [one] = read({ mapping }, sent);
      return one && 'alert' in one ? one.idempotencyKey : 'none';
    });
    expect(keys[0]).toMatch(/^custom\/own:[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[3]).toBeUndefined();
  });

  it.each<[kind: string, mapping: object, sent: object, alert: object]>([
    [
      'scam-verdict',
      { text: ['/sms', '/body'], conversation: '/from' },
      { body: ' Pay now \n', from: 7 },
      { text: ' Pay now \n', conversation: '7' },
    ],
    [
      'message-screening',
      { image: '/picture' },
      { picture: { mediaType: 'image/png', base64: 'AAAA' } },
      { image: { mediaType: 'image/png', base64: 'AAAA' } },
    ],
    [
      'research',
      { payload: { query: ['/ask', '/question'], items: '/found/results' } },
      { question: 'Who?', found: { results: [{ url: 'https://a.example', text: 'x' }] } },
      { payload: { query: 'Who?', items: [{ url: 'https://a.example', text: 'x' }] } },
    ],
    [
      'policy-check',
      { payload: '/data/bundle' },
      { data: { bundle: { policy: 'refunds', facts: {}, criteria: [] } } },
      { payload: { policy: 'refunds', facts: {}, criteria: [] } },
    ],
  ])('S2-40 reads what the kind %s needs', (kind, mapping, sent, alert) => {
    expect(read({ mapping }, sent, kind)).toEqual([
      { alert: { playbook: kind, source: 'own', ...alert }, chosenBy: BY_SETTING },
    ]);
  });

  it.each<[what: string, how: object, sent: unknown, path: string, message: RegExp]>([
    [
      'nothing at any pointer',
      { mapping: { name: ['/a', '/b'], text: '/c' } },
      { d: 1 },
      'name',
      /value at \/a or \/b/,
    ],
    ['no object', { mapping: { name: '/a' } }, 'page me', '', /expected a JSON object/],
    ['an object where a text belongs', { mapping: { name: '/a' } }, { a: { b: 1 } }, 'name', /value at \/a/],
    [
      'another sender',
      { preset: 'opsgenie' },
      { event: {} },
      'payload.alert',
      /post of opsgenie, which has \/action/,
    ],
    [
      'a subscription that waits to be confirmed',
      { preset: 'cloudwatch' },
      {
        Type: 'SubscriptionConfirmation',
        Message: 'You have chosen',
        SubscribeURL: 'https://sns.example/?c=1',
      },
      'payload.alert',
      /open its SubscribeURL once/,
    ],
    [
      'an id and nothing to read',
      { mapping: { deliveryId: '/id', name: '/job' } },
      { id: 7 },
      'name',
      /a value at \/job/,
    ],
    [
      'labels without a name',
      { preset: 'generic' },
      { a: 1 },
      'payload.alert.title',
      /nothing in it can be read/,
    ],
  ])('S2-40 keeps a post with %s, and says what was expected', (_what, how, sent, path, message) => {
    const [problem] = problemsOf(read(how, sent)[0]);
    expect(problem).toEqual({ path, message: expect.stringMatching(message) });
  });

  it.each(['alertmanager', 'grafana'])(
    'S2-40 takes each alert of a group of %s under its own name',
    (preset) => {
      const [one, ...others] = read({ preset }, { version: '4', ...exampleGroup });
      expect(others).toEqual([]);
      expect(one).toMatchObject({
        alert: {
          playbook: 'incident',
          source: 'own',
          payload: { title: 'DiskFull: The disk of db-1 is full' },
        },
      });
      expect(problemsOf(one)).toEqual([]);
      expect(webhook({ preset }).isBatch).toBe(true);
    },
  );

  it('S2-40 reads each entry of an array by itself, and refuses more than a batch may hold', () => {
    const mapping = { name: '/n' };
    expect(read({ mapping }, [{ n: 'a' }, 3, { n: 'b' }]).map((one) => 'alert' in one)).toEqual([
      true,
      false,
      true,
    ]);
    for (const wrong of [[], Array(6).fill({ n: 'a' })])
      expect(() => read({ mapping }, wrong)).toThrow(InvalidInput);
  });

  it('S2-40 reads or refuses whatever is sent', () => {
    const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;
    const pointer = fc
      .array(fc.constantFrom('/a', '/0', '/', '/a~1b', '/__proto__'))
      .map((parts) => parts.join(''));
    const field = fc.constantFrom(
      'name',
      'summary',
      'status',
      'startsAt',
      'links',
      'labels',
      'key',
      'text',
      'deliveryId',
    );
    const mapping = fc
      .dictionary(field, fc.array(pointer, { minLength: 1, maxLength: 3 }))
      .map((given) => ({ name: '/a', ...given }));
    const sent = fc.oneof(json, fc.dictionary(fc.constantFrom('a', '0', '', 'a/b'), json));
    fc.assert(
      fc.property(
        fc.oneof(
          mapping.map((given) => ({ mapping: given })),
          fc.constant({ preset: 'generic' }),
        ),
        sent,
        (how, body) => {
          let all: ReadAlert[] = [];
          try {
            all = read(how, body);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(InvalidInput);
          }
          for (const one of all)
            if ('alert' in one) expect((one.alert as JsonObject)['source']).toBe('own');
            else expect(one.problems.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
