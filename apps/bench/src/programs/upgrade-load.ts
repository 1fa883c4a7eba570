// Upgrades all services one after another from an older version to the current one and back, with runs in
// flight. Options: [--from 4d0bfd41] [--runs 1000] [--model-ms 5000] [--at-once 60]. Builds the commit --from in
// a temporary folder. A new process is ready before the old one is stopped, so both versions work at the same
// time. Exit code 1: a run was not decided, a step was paid twice, or a process did not end with 0.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { rollVersions } from '@casefile/e2e/fault-run/roll-versions';
import { PATIENT } from '@casefile/e2e/testing/patient-settings';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { Checkout } from '../upgrade-run/check-out.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '4d0bfd41' },
    runs: { type: 'string', default: '1000' },
    'model-ms': { type: 'string', default: '5000' },
    'at-once': { type: 'string', default: '60' },
  },
});
const runs = Number(values.runs);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interrupted.abort());

await onPrivatePostgres(async (postgres, dir) => {
  const older = join(dir, 'older');
  const checkout = new Checkout(ROOT, interrupted.signal);
  console.log(`older version: ${await checkout.describe(values.from)}`);
  console.log(`current version: ${await checkout.describe('HEAD')}`);
  await checkout.write(values.from, older);
  console.log('the older version is built');
  await createDatabaseIfMissing(postgres.url('postgres'), 'upgrade');
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const simulator = await startSimulator({ script: { delayMs: Number(values['model-ms']) } });
  const config = join(dir, 'config.yaml');
  // So few calls at a time that the last runs are still in flight when the last service is replaced.
  const concurrency = { reason: { live: Number(values['at-once']), bulk: 1 } };
  writeFileSync(config, JSON.stringify({ ...PATIENT, calls: { probeAtStart: false }, concurrency }));
  const databaseUrl = postgres.url('upgrade');
  try {
    const [there, back] = await rollVersions({
      settings: {
        databaseUrl,
        queueUrl: redis.url,
        logFile: join(dir, 'services.log'),
        env: {
          LLM_PROVIDER: 'simulator',
          LLM_BASE_URL: simulator.baseUrl,
          CASEFILE_CONFIG: config,
          CASEFILE_DATA: dir,
        },
      },
      versions: [older, ROOT],
      runs,
      settleMs: 600_000,
      say: console.log,
    });
    console.table({ 'older to current': there, 'current to older': back });
    const { total, byStep } = simulator.calls();
    const extra = total - Object.keys(byStep).length;
    console.log(`${total} calls of the model, ${extra} more than steps`);
    return [there, back].every(
      (one) =>
        one !== undefined &&
        one.decided === runs &&
        one.stuck + one.quarantined + one.paidTwice + one.verdictsTwice + one.failed === 0,
    );
  } finally {
    await simulator.close();
    await redis.stop();
  }
});
