import { checksPolicies } from './policy-check.suite.js';
import { inlineWorld } from '../../testing/world.js';

checksPolicies([['the queue in this process', async (model) => inlineWorld(model)]]);
