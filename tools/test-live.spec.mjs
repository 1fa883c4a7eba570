import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.mjs';

it('S1-61 says plainly that the live suite is skipped when no key is set', () => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.endsWith('_API_KEY')));
  const run = spawnSync(process.execPath, [join(root, 'tools/test-live.mjs')], { env, encoding: 'utf8' });
  expect([run.status, run.stdout]).toEqual([
    0,
    expect.stringMatching(/live suite is skipped: .*OPENAI_API_KEY/),
  ]);
});
