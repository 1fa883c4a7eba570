import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds } from '@casefile/shipped/loaded';
import { intakeFormats, reservedSources, configSecrets } from '../intake/formats/index.js';
import { readConfig } from './read-config.js';
import { SHIPPED_SOURCES } from './webhook-settings.js';

const PROOF = { header: 'X-Token', secret: '${HOOK_TOKEN}' };
const HOOK = { preset: 'pagerduty', playbook: 'incident', proof: PROOF };

function configOf(webhooks: object, environment: Record<string, string> = {}) {
  const path = join(mkdtempSync(join(tmpdir(), 'casefile-hooks-')), 'own.yaml');
  writeFileSync(path, JSON.stringify({ webhooks }));
  return readConfig({ CASEFILE_CONFIG: path, ...environment }, kinds);
}

describe('webhooks of the settings', () => {
  it('S2-40 name a preset or pointers, a kind of case, and a proof', () => {
    const mapping = { name: ['/a', '/b~1c'], labels: { host: '/host' }, text: '', links: '/url' };
    const { webhooks } = configOf({
      pd: HOOK,
      own: { ...HOOK, preset: undefined, mapping, proof: { ...PROOF, header: undefined, hmac: 'X-Sum' } },
    });
    expect(webhooks).toMatchObject([
      { name: 'pd', preset: 'pagerduty', proof: { header: { name: 'x-token', prefix: '' } } },
      {
        name: 'own',
        mapping: { name: ['/a', '/b~1c'], labels: { host: ['/host'] }, text: [''], links: ['/url'] },
        proof: { hmac: { header: 'x-sum', algorithm: 'sha256', encoding: 'hex', content: '{body}' } },
      },
    ]);
  });

  it.each<[what: string, webhooks: object, message: RegExp]>([
    [
      'neither preset nor mapping',
      { a: { ...HOOK, preset: undefined } },
      /webhooks\.a: expected either preset/,
    ],
    ['both', { a: { ...HOOK, mapping: { name: '/x' } } }, /webhooks\.a: expected either preset/],
    [
      'another preset',
      { a: { ...HOOK, preset: 'pager' } },
      /webhooks\.a\.preset: expected one of .*pagerduty.*sentry/,
    ],
    [
      'a preset of no use to its kind',
      { a: { ...HOOK, playbook: 'policy-check' } },
      /policy-check knows no sender/,
    ],
    [
      'another kind',
      { a: { ...HOOK, playbook: 'outage' } },
      /webhooks\.a\.playbook: .*expected one of .*incident/,
    ],
    ['no kind', { a: { ...HOOK, playbook: undefined } }, /webhooks\.a\.playbook: expected the kind of case/],
    [
      'no proof',
      { a: { ...HOOK, proof: undefined } },
      /webhooks\.a\.proof: expected hmac or header, and secret/,
    ],
    [
      'two proofs',
      { a: { ...HOOK, proof: { ...PROOF, hmac: 'X-Sum' } } },
      /webhooks\.a\.proof: expected either hmac/,
    ],
    [
      'a secret that is written down',
      { a: { ...HOOK, proof: { header: 'X-Token', secret: 'hunter2hunter2hunter2' } } },
      /webhooks\.a\.proof\.secret: expected \$\{NAME\}/,
    ],
    [
      'no secret',
      { a: { ...HOOK, proof: { header: 'X-Token' } } },
      /webhooks\.a\.proof\.secret: expected \$\{NAME\}/,
    ],
    [
      'another algorithm',
      { a: { ...HOOK, proof: { hmac: { header: 'X', algorithm: 'md5' }, secret: '${X}' } } },
      /proof\.hmac\.algorithm: expected one of sha1, sha256/,
    ],
    [
      'another encoding',
      { a: { ...HOOK, proof: { hmac: { header: 'X', encoding: 'base32' }, secret: '${X}' } } },
      /proof\.hmac\.encoding: expected hex or base64/,
    ],
    [
      'a header that is none',
      { a: { ...HOOK, proof: { header: 'X Token', secret: '${X}' } } },
      /proof\.header\.name: expected the name of a header/,
    ],
    [
      'a time that nothing signs',
      { a: { ...HOOK, proof: { hmac: { header: 'X', timestamp: 'T' }, secret: '${X}' } } },
      /proof\.hmac\.content: expected \{timestamp\}/,
    ],
    [
      'content without the body',
      { a: { ...HOOK, proof: { hmac: { header: 'X', content: 'x' }, secret: '${X}' } } },
      /proof\.hmac\.content: expected \{body\} once/,
    ],
    [
      'a path that is no pointer',
      { a: { ...HOOK, preset: undefined, mapping: { name: ['/a', 'event.title'] } } },
      /webhooks\.a\.mapping\.name.*: expected a JSON Pointer \(RFC 6901\)/,
    ],
    [
      'another field',
      { a: { ...HOOK, preset: undefined, mapping: { titel: '/a' } } },
      /webhooks\.a\.mapping.*titel/,
    ],
    [
      'an empty mapping',
      { a: { ...HOOK, preset: undefined, mapping: {} } },
      /webhooks\.a\.mapping: expected pointers/,
    ],
    [
      'a payload next to fields of an alert',
      { a: { ...HOOK, preset: undefined, mapping: { name: '/a', payload: '/b' } } },
      /webhooks\.a\.mapping\.payload: payload goes with none of name, summary/,
    ],
    ['a name in capitals', { PagerDuty: HOOK }, /webhooks\.PagerDuty.*lower case/],
    ['a name with an address of its own', { grafana: HOOK }, /webhooks\.grafana: expected another name/],
  ])('S2-40 with %s are refused by the field', (_what, webhooks, message) => {
    expect(() => configOf(webhooks)).toThrow(message);
  });

  it('S2-40 have secrets only where posts are taken, and name each variable that is missing or short', () => {
    const hooks = { a: HOOK, b: { ...HOOK, proof: { header: 'X-Token', secret: '${OTHER}' } } };
    const unset = configOf(hooks, { OTHER: 'too short' });
    expect(() => configSecrets(unset)).toThrow(
      /webhooks\.a\.proof\.secret: .*HOOK_TOKEN, which is not set[\s\S]*webhooks\.b\.proof\.secret: expected at least 16 characters/,
    );
    expect(() => configSecrets(unset)).not.toThrow(/too short/);
    const set = configOf(hooks, { HOOK_TOKEN: 'a'.repeat(16), OTHER: 'b'.repeat(16) });
    expect([...configSecrets(set)]).toEqual([
      ['custom/a', 'a'.repeat(16)],
      ['custom/b', 'b'.repeat(16)],
    ]);
    expect([...set.webhookSecrets('b')]).toEqual([['b', 'b'.repeat(16)]]);
    expect(JSON.stringify(set.settings)).not.toContain('aaaa');
  });

  it('S2-40 keep their source for themselves in every process', () => {
    const hooks = configOf({ pd: HOOK }, { CASEFILE_GRAFANA_SECRET: 'g'.repeat(16) });
    expect([...reservedSources(hooks)]).toEqual([
      ['grafana', 'grafana'],
      ['pd', 'custom/pd'],
    ]);
    const sources = intakeFormats.flatMap(({ source }) => source ?? []);
    expect(SHIPPED_SOURCES).toEqual(sources);
  });
});
