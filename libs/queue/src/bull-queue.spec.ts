import { bullHarness, redisScratch } from './testing/bull-harness.js';
import { describeQueue } from './testing/queue.conformance.js';

describeQueue('Redis', async () => bullHarness(await redisScratch()));
