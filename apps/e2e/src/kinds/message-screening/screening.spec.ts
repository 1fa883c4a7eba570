import { screensMessages } from './screening.suite.js';
import { inlineWorld } from '../../testing/world.js';

screensMessages([['the queue in this process', async (model, env) => inlineWorld(model, env)]]);
