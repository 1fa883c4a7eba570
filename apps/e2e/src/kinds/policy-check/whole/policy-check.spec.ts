import { checksPolicies } from '../policy-check.suite.js';
import { testRedis } from '../../../testing/redis-database.js';
import { realWorld } from '../../../testing/world.js';

checksPolicies([
  ['Postgres, queue on Postgres', (model) => realWorld('postgres', model)],
  ['Postgres, queue on Redis', (model) => realWorld(testRedis('policy-check'), model)],
]);
