import { startChromium } from './chromium.js';
import { consoleWorld } from './console-world.js';
import { gatedModel } from './gated-model.js';
import type { Stage } from './stage.js';

/**
 * Starts a console and a browser for all tests of a file. The stage is filled before the first test: the parts read it
 * when they run.
 */
export function dashboardStage(): Stage {
  const model = gatedModel({ content: '{}', reasoning: '' });
  const stage = { model } as Stage;
  beforeAll(async () => {
    // The page Queues shows the board of a queue store.
    const world = consoleWorld(model, {}, undefined, 'postgres');
    [stage.world, stage.browser] = await Promise.all([world, startChromium()]);
    stage.origin = new URL(stage.world.consoleUrl).origin;
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.world?.close();
  });
  return stage;
}
