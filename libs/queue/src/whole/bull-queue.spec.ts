import { bullHarness, postgresScratch } from '../testing/bull-harness.js';
import { describeQueue } from '../testing/queue.conformance.js';

describeQueue('Postgres', async () => bullHarness(await postgresScratch()));
