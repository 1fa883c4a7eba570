import { isAccessible } from '../access.browser.js';
import { startChromium } from '../chromium.js';
import { consoleWorld } from '../console-world.js';
import { gatedModel } from '../gated-model.js';
import { missesNothing } from '../slow-reads.browser.js';
import type { Stage } from '../stage.js';
import { isLight } from '../weight.browser.js';

const model = gatedModel({ content: '{}', reasoning: '' });
// Filled before the first test: the parts read it when they run.
const stage = { model } as Stage;

beforeAll(async () => {
  [stage.world, stage.browser] = await Promise.all([consoleWorld(model), startChromium()]);
  stage.origin = new URL(stage.world.consoleUrl).origin;
});
afterAll(async () => {
  await stage.browser?.close();
  await stage.world?.close();
});

describe('the dashboard while its reads are slow', () => missesNothing(stage));

describe('the dashboard in the dark', () => isAccessible(stage, ['dark']));

describe('the weight of the dashboard', () => isLight(stage));
