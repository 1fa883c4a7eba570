import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { playbooks } from '@casefile/pipeline';
import { effectiveSettings } from './effective-settings.js';
import { readConfig } from './read-config.js';

function settingsWith(own: object) {
  const file = join(temporaryFolder('settings'), 'own.yaml');
  writeFileSync(file, JSON.stringify(own));
  return effectiveSettings(readConfig({ LLM_PROVIDER: 'none', CASEFILE_CONFIG: file }));
}

describe('the effective settings', () => {
  it('hold every option of every kind, with the defaults of its code', () => {
    const { playbooks: shown } = settingsWith({}) as { playbooks: Record<string, object> };
    for (const { name, options } of playbooks) expect(shown[name]).toMatchObject(options.defaults as object);
  });

  it('hold what a file lays over them', () => {
    const [kind] = playbooks;
    const deadlines = { [kind!.name]: { deadlineMs: 7_000 } };
    expect(settingsWith({ handOn: 'direct', playbooks: deadlines })).toMatchObject({
      handOn: 'direct',
      lease: { seconds: 6 },
      playbooks: { [kind!.name]: { deadlineMs: 7_000 } },
    });
  });

  it('hold no secret, and the names of variables', () => {
    const server = { url: 'https://metrics.example/mcp', allow: ['query'], kinds: [playbooks[0]!.name] };
    const headers = { authorization: 'Bearer literal-secret-0123', 'x-key': '${METRICS_KEY}' };
    const text = JSON.stringify(settingsWith({ mcp: { servers: { metrics: { ...server, headers } } } }));
    expect(text).not.toContain('literal-secret-0123');
    expect(text).toContain('${METRICS_KEY}');
  });
});
