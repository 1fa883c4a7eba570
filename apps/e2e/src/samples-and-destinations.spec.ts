import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@casefile/contracts/testing';
import { childEnvironment } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { rowsIn } from './testing/run-casefile.js';
import { testEnvironment } from './testing/world.js';

const CLI = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

it('the first start submits no samples if a person could be paged by them', async () => {
  const database = await testDatabase();
  const folder = temporaryFolder('samples-and-destinations');
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'destinations: { oncall: { type: webhook, url: "https://pager.example/in" } }');
  const env = testEnvironment({
    DATABASE_URL: database.url,
    QUEUE_URL: database.url,
    CASEFILE_DATA: folder,
    CASEFILE_CONFIG: config,
  });
  const once = [CLI, 'up', '--once'];
  const { stdout } = await promisify(execFile)(process.execPath, once, { env: childEnvironment(env) });
  expect(stdout).toContain('No samples were submitted, because destinations are configured.');
  expect(await rowsIn(database.url, 'select count(*)::int as n from cases')).toEqual([{ n: 0 }]);
  await database.drop();
});
