import { asksRemoteTools } from '../tools.suite.js';
import { testRedis } from '../testing/redis-database.js';
import { realWorld } from '../testing/world.js';

asksRemoteTools([
  ['Postgres, queue on Postgres', (env) => realWorld('postgres', null, env)],
  ['Postgres, queue on Redis', (env) => realWorld(testRedis('tools'), null, env)],
]);
