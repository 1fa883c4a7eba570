import type { Browser } from 'playwright-core';
import type { ConsoleWorld } from './console-world.js';
import type { GatedModel } from './gated-model.js';

/** Shared parts of the tests in a browser: one Casefile with its console, its model, and a browser. */
export interface Stage {
  world: ConsoleWorld;
  model: GatedModel;
  browser: Browser;
  origin: string;
}
