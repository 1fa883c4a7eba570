import type { CasefileError } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import type { Platform } from '@casefile/runtime';
import { readConfig } from '@casefile/runtime';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebhooksController } from './ingest.js';

const TOKEN = 'a-token-of-the-sender';
const SETTINGS = `
webhooks:
  backups:
    playbook: incident
    mapping: { name: /job, status: /state }
    proof:
      header: X-Token
      secret: \${BACKUP_TOKEN}
`;

function setUp(environment: Record<string, string> = { BACKUP_TOKEN: TOKEN }) {
  const path = join(mkdtempSync(join(tmpdir(), 'casefile-hooks-')), 'own.yaml');
  writeFileSync(path, SETTINGS);
  const accepted: { alert: object; options: object }[] = [];
  const buried: { message: string; payload: unknown; provenBy?: string }[] = [];
  const platform = {
    config: readConfig({ CASEFILE_CONFIG: path, ...environment }, kinds),
    intake: {
      receive: async (alert: object, options: object) => {
        accepted.push({ alert, options });
        return { alertId: 'a', caseId: 'c', runId: 'r', joined: false };
      },
    },
    store: { deadLetters: { bury: async (entry: (typeof buried)[0]) => void buried.push(entry) } },
    clock: { now: () => Date.now() },
    log: { warn: () => undefined },
  } as unknown as Platform;
  const controller = new WebhooksController(platform);
  const post = (body: object, headers: { 'x-token'?: string } = { 'x-token': TOKEN }, name = 'backups') =>
    controller
      .take({
        path: `/v1/webhooks/custom/${name}`,
        body,
        rawBody: Buffer.from(JSON.stringify(body)),
        headers,
      })
      .catch((error: CasefileError) => error.reasonCode);
  return { post, accepted, buried };
}

describe('the address of a webhook of the settings', () => {
  it('S2-40 takes a proven post as an alert of its kind, under its name', async () => {
    const { post, accepted } = setUp();
    expect(await post({ job: 'nightly' })).toMatchObject({ results: [{ index: 0, caseId: 'c' }] });
    expect(accepted).toEqual([
      {
        alert: expect.objectContaining({ playbook: 'incident', source: 'backups' }),
        options: {
          provenBy: 'custom/backups',
          chosenBy: { rule: 'setting', why: 'The setting webhooks.backups.playbook names it.' },
        },
      },
    ]);
  });

  it('S2-40 refuses a post without its proof, and keeps nothing of it', async () => {
    const { post, accepted, buried } = setUp();
    for (const headers of [{}, { 'x-token': `${TOKEN}x` }, { 'x-token': '' }])
      expect([await post({ job: 'x' }, headers), await post({}, headers)]).toEqual(
        Array(2).fill('bad_signature'),
      );
    expect([accepted, buried]).toEqual([[], []]);
  });

  it('S2-40 keeps a proven post of which nothing can be read, with what was expected', async () => {
    const { post, accepted, buried } = setUp();
    expect(await post({ other: 1 })).toMatchObject({ results: [{ problem: { status: 400 } }] });
    expect(accepted).toEqual([]);
    expect(buried).toMatchObject([
      {
        payload: { other: 1 },
        provenBy: 'custom/backups',
        message: expect.stringContaining('expected a value at /job'),
      },
    ]);
  });

  it('S2-40 is not there under another name, nor does it start without its secret', async () => {
    const { post } = setUp();
    expect(await post({ job: 'x' }, undefined, 'backup')).toBe('not_found');
    expect(() => setUp({})).toThrow(/webhooks\.backups\.proof\.secret: .*BACKUP_TOKEN/);
  });
});
