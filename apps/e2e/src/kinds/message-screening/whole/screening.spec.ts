import { screensMessages } from '../screening.suite.js';
import { testRedis } from '../../../testing/redis-database.js';
import { realWorld } from '../../../testing/world.js';

screensMessages([
  ['Postgres, queue on Postgres', (model, env) => realWorld('postgres', model, env)],
  ['Postgres, queue on Redis', (model, env) => realWorld(testRedis('screening'), model, env)],
]);
