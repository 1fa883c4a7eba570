import { OVERLOAD_SCENARIOS } from './overload.js';
import { POSTGRES_SCENARIOS } from './postgres-scenarios.js';
import { REDIS_SCENARIOS } from './redis-scenarios.js';
import type { Scenario } from './scenario.js';
import { SERVICE_SCENARIOS } from './service-scenarios.js';

/** All scenarios, in the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  ...REDIS_SCENARIOS,
  ...POSTGRES_SCENARIOS,
  ...SERVICE_SCENARIOS,
  ...OVERLOAD_SCENARIOS,
];
