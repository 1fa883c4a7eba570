import { asksRemoteTools } from './tools.suite.js';
import { inlineWorld } from './testing/world.js';

asksRemoteTools([['the queue in this process', async (env) => inlineWorld(null, env)]]);
