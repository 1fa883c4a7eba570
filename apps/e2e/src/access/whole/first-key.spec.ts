import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { childEnvironment } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { OneProcess } from '../../testing/one-process.js';

const CLI = fileURLToPath(new URL('../../../../cli/dist/main.js', import.meta.url));

describe('the first key', () => {
  it('is created on the database with nothing running, and `casefile up` then runs without a key of its own', async () => {
    const database = await testDatabase();
    const folder = temporaryFolder('first-key');
    const env = {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      LLM_PROVIDER: 'none',
      CASEFILE_DATA: folder,
    };
    const casefile = (...args: string[]) =>
      promisify(execFile)(process.execPath, [CLI, ...args], { env: childEnvironment(env) });
    const create = ['keys', 'create', 'ann', '--role', 'admin', '--direct', '--json'];
    const { stdout } = await casefile(...create);
    const { key: secret } = JSON.parse(stdout) as { key: string };
    expect(secret).toMatch(/^cf_/);

    const system = await OneProcess.prepare(folder, env);
    try {
      await system.start();
      const cases = `${system.consoleUrl}/api/v1/cases`;
      await until('the key is required', async () => (await fetch(cases)).status === 401);
      await until('it reports that it prints no verdicts', async () =>
        readFileSync(join(folder, 'log'), 'utf8').includes('Set CASEFILE_KEY'),
      );
      const headers = { authorization: `Bearer ${secret}` };
      expect((await fetch(cases, { headers })).status).toBe(200);
      const again = await casefile('keys', 'list', '--direct', '--json');
      expect(again.stdout).toContain('"ann"');
      expect(again.stdout).not.toContain(secret);

      const limited = ['keys', 'create', 'gateway', '--scope', 'intake', '--direct', '--daily-budget'];
      await expect(casefile(...limited, '0')).rejects.toThrow('Expected');
      await casefile(...limited, '20.5');
      const { stdout: listed } = await casefile('keys', 'list', '--direct');
      expect(listed).toContain('gateway: scopes intake; at most $20.5 per day; not used yet');
    } finally {
      await system.kill();
      await database.drop();
    }
  }, 300_000);
});
