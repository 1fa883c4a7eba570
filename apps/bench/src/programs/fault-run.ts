// Kills services at random with kill -9 and reports lost or doubled work.
// Options: [--redis | --postgres] [--cases 40] [--kills 15] [--every-ms 3000] [--model-ms 700] [--seed 1], or
// [--rollouts 20]: stops all services in order instead, with hostile clients connected. Exit code 1: anything
// was lost, decided twice or paid twice; with --rollouts also if a stop took more than 30 s or a process did
// not end on its own.
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { openDatabase } from '@casefile/runtime';
import { emptyQueue } from '@casefile/e2e/fault-run/empty-queue';
import { runFaults } from '@casefile/e2e/fault-run/run-faults';

const flag = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const only = process.argv.includes('--redis')
  ? 'redis'
  : process.argv.includes('--postgres')
    ? 'postgres'
    : null;

// Processes and servers stop with the program. A second signal stops it without waiting for them.
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => ended.abort(new Error(`ended by ${signal}`)));

const dir = temporaryFolder('fault-run');
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
const redis = await startRedis({ dir: join(dir, 'redis') });
let failed = false;
try {
  for (const queue of ['redis', 'postgres'].filter((name) => only === null || name === only)) {
    const name = `faults_${queue}`;
    await createDatabaseIfMissing(postgres.url('postgres'), name);
    const { url } = await openDatabase({ databaseUrl: postgres.url(name), dataDir: dir }, silentLogger);
    const queueUrl = queue === 'redis' ? redis.url : url;
    const rollouts = flag('rollouts', 0);
    const kills = flag('kills', rollouts > 0 ? 0 : 15);
    const result = await runFaults({
      databaseUrl: url,
      queueUrl,
      seed: flag('seed', 1),
      cases: flag('cases', 40),
      kills,
      rollouts,
      killEveryMs: flag('every-ms', 3_000),
      modelMs: flag('model-ms', 700),
      settleMs: 120_000,
      emptyQueueAfter: Math.ceil(kills / 2),
      emptyQueue: () => emptyQueue(queueUrl),
      say: console.log,
      ended: ended.signal,
    });
    console.log(`queue on ${queue}:`, result);
    if (rollouts > 0) console.log(`rollouts: ${spread(result.rollouts.map(({ ms }) => ms))}`);
    const stopped = result.rollouts.every(({ ms, failed }) => ms <= 30_000 && failed.length === 0);
    const whole = result.decided === result.cases && result.verdictsTwice + result.answeredTwice === 0;
    failed ||= !whole || !stopped || result.extraCalls > result.underWayAtKills;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  failed = true;
} finally {
  await redis.stop();
  await postgres.stop();
}
process.exit(failed ? 1 : 0);

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
  return `shortest ${at(0)} ms, median ${at(0.5)} ms, longest ${at(1)} ms`;
}
