import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import type { AuditEntry, DecisionFile } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { launchedServices, type LaunchedServices } from './testing/launched-services.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

describe('what an auditor reads of a case', () => {
  let world: LaunchedServices;
  let caseId: string;
  const folder = temporaryFolder('decision-file');
  const casefile = async (...args: string[]) => {
    const terminal = memoryTerminal();
    const code = await run(args, terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  };

  beforeAll(async () => {
    world = await launchedServices({
      env: () => ({
        CASEFILE_SIGNING_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      }),
    });
    caseId = await world.alert({
      playbook: 'scam-verdict',
      text: 'Your parcel waits. Pay the fee at http://parcel-fee.top/pay today.',
    });
    const api = `${world.service('console').url}/api/v1`;
    await until('the case is decided', async () => {
      const shown = (await (await fetch(`${api}/cases/${caseId}`)).json()) as { status?: string };
      return shown.status === 'decided';
    });
    await fetch(`${api}/reviews/${caseId}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'ann', agree: true, note: 'I called the sender' }),
    });
  });
  afterAll(() => world.close());

  it('is on the audit log: who answered, with a chain that a cut end breaks', async () => {
    const where = ['--console', world.service('console').url];
    await until('the answer is on the audit log', async () =>
      (await casefile('audit', 'list', ...where)).text.includes('review.agreed'),
    );
    const { text } = await casefile('audit', 'list', '--actor', 'ann', '--case', caseId, ...where);
    expect(text).toMatch(/^1 +\S+Z +ann +review\.agreed: /m);
    const checked = await casefile('audit', 'verify', ...where);
    const [, count, hash] = /^(\d+) entries, 0 problems, head \1:([0-9a-f]{64})$/.exec(checked.text) ?? [];
    expect([checked.code, Number(count) > 0]).toEqual([0, true]);
    const later = `${Number(count) + 1}:${hash}`;
    const cut = await casefile('audit', 'verify', '--head', later, ...where);
    expect([cut.code, cut.text]).toEqual([1, expect.stringContaining('its end was cut')]);
  });

  it('is the whole audit log as JSON Lines, the oldest entry first', async () => {
    const where = ['--console', world.service('console').url];
    const out = join(folder, 'audit.jsonl');
    expect((await casefile('audit', 'export', '--out', out, ...where)).code).toBe(0);
    const entries = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
    const { text } = await casefile('audit', 'verify', ...where);
    expect(text).toContain(`${entries.length}:${entries.at(-1)?.hash}`);
    const again = await casefile('audit', 'export', '--out', out, ...where);
    expect([again.code, again.text]).toEqual([expect.any(Number), expect.stringContaining('EEXIST')]);
    expect(again.code).not.toBe(0);
    expect((await casefile('audit', 'export', '--json', ...where)).text).toContain('--json');
  });

  it('is a decision file, exported and verified without a database, with the key of its owner', async () => {
    const console = world.service('console').url;
    const out = join(folder, 'decision.json');
    const exported = await casefile('export', 'decision', caseId, '--out', out, '--console', console);
    expect(exported.text).toMatch(/records, signed with SHA256:/);
    await world.stop();

    const pem = join(folder, 'public.pem');
    writeFileSync(pem, publicKey.export({ format: 'pem', type: 'spki' }));
    const verified = await casefile('verify', out, '--key', pem);
    expect([verified.code, verified.text]).toEqual([
      0,
      expect.stringContaining('Signed with the expected key'),
    ]);

    const text = readFileSync(out, 'utf8');
    const { records } = JSON.parse(text) as DecisionFile;
    const parts = new Set(records.map(({ id }) => id.replace(/\/[\da-f]{8}-[\da-f-]{27}/g, '/ID')));
    for (const part of [
      'case',
      'alerts/ID',
      'runs/ID',
      'runs/ID/interactions/ID',
      'runs/ID/tool-calls/ID',
      'people',
    ])
      expect(parts).toContain(part);
    expect([...parts].filter((part) => part.startsWith('prompts/'))).not.toEqual([]);
    const people = JSON.stringify(records.find(({ id }) => id === 'people')?.body);
    expect(people).toContain('I called the sender');

    const changed = join(folder, 'changed.json');
    writeFileSync(changed, text.replace('I called the sender', 'I called the seller'));
    const refused = await casefile('verify', changed, '--key', pem);
    expect([refused.code, refused.text]).toEqual([
      1,
      expect.stringMatching(/the record "[^"]+" does not have its hash/),
    ]);

    const without = await casefile('verify', out);
    expect([without.code, without.text]).toEqual([0, expect.stringMatching(/Compare this key/)]);
  });
});
