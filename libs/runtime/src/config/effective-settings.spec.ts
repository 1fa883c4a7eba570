import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { effectiveSettings } from './effective-settings.js';
import { readConfig } from './read-config.js';

function settingsWith(own: object) {
  const file = join(temporaryFolder('settings'), 'own.yaml');
  writeFileSync(file, JSON.stringify(own));
  return effectiveSettings(readConfig({ LLM_PROVIDER: 'none', CASEFILE_CONFIG: file }, kinds));
}

describe('the effective settings', () => {
  it('hold every option of every kind, with the defaults of its code', async () => {
    const { playbooks: shown } = (await settingsWith({})) as { playbooks: Record<string, object> };
    for (const { name, options } of playbooks) expect(shown[name]).toMatchObject(options.defaults as object);
  });

  it('hold what a file lays over them', async () => {
    const [kind] = playbooks;
    const deadlines = { [kind!.name]: { deadlineMs: 7_000 } };
    expect(await settingsWith({ handOn: 'direct', playbooks: deadlines })).toMatchObject({
      handOn: 'direct',
      lease: { seconds: 6 },
      playbooks: { [kind!.name]: { deadlineMs: 7_000 } },
    });
  });

  it('hold no secret, and the names of variables', async () => {
    const server = { url: 'https://metrics.example/mcp', allow: ['query'], kinds: [playbooks[0]!.name] };
    const headers = { authorization: 'Bearer literal-secret-0123', 'x-key': '${METRICS_KEY}' };
    const files = {
      allow: ['read'],
      kinds: server.kinds,
      command: 'serve-files',
      args: ['--api-key', 'literal-secret-4567'],
    };
    const logs = { ...server, url: 'https://logs.example/mcp?token=literal-secret-8901' };
    const servers = { metrics: { ...server, headers }, files, logs };
    const text = JSON.stringify(await settingsWith({ mcp: { servers } }));
    expect(text).not.toContain('literal-secret-0123');
    expect(text).not.toContain('literal-secret');
    expect(text).toContain('${METRICS_KEY}');
    expect(text).toContain('serve-files');
  });
});
