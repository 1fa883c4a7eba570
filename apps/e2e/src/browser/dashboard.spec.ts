import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { isAccessible } from './access.browser.js';
import { startChromium } from './chromium.js';
import { consoleWorld } from './console-world.js';
import { gatedModel } from './gated-model.js';
import { showsChecks } from './policy.browser.js';
import { isSafe } from './safety.browser.js';
import type { Stage } from './stage.js';
import { isOfUse } from './use.browser.js';

const model = gatedModel({ content: '{}', reasoning: '' });
// Filled before the first test: the parts read it when they run.
const stage = { model } as Stage;

beforeAll(async () => {
  [stage.world, stage.browser] = await Promise.all([consoleWorld(model), startChromium()]);
  stage.origin = new URL(stage.world.consoleUrl).origin;
}, 120_000);
afterAll(async () => {
  await stage.browser?.close();
  await stage.world?.close();
}, 30_000);

describe('the dashboard in a browser', () => isOfUse(stage));
describe('the dashboard before what strangers and models write', () => isSafe(stage));
describe('policies and checks in the dashboard', () => showsChecks(stage));
describe('the dashboard for everybody', () => isAccessible(stage));

/** All of it together, font and styles too, as a browser gets it. */
const MOST_BYTES = 300_000;

describe('the dashboard as it is built', () => {
  it('S2-32 stays under 300 kB compressed', () => {
    const dist = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));
    const files = readdirSync(dist, { withFileTypes: true, recursive: true }).filter((it) => it.isFile());
    const sizes = files.map((it) => gzipSync(readFileSync(join(it.parentPath, it.name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  });
});
