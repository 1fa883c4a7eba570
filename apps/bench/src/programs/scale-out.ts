// Compares one instance of each worker service with two on this machine. Options: [--cases 2000] [--rounds 3]
// [--model-ms 50] [--concurrency 100] [--stand-still-ms 0: time for which one reasoner is stopped]. The rounds
// alternate. Reports cases per second, processor time by part, work done twice, and whether a limit of the provider
// and a budget were kept. Exit code 1: work was done twice, a case was not decided, a limit or budget was exceeded,
// or two instances were slower than 0.95 x one. A call that is made again after a lost lease is not a failure.
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { startRedis } from '@casefile/embedded/testing';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { measureRound, type RoundFigures } from '../scale-out/measure-round.js';

/** Two instances on the same cores cost processor time and gain none; this is the noise between rounds. */
const NOT_LOWER = 0.95;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    'model-ms': { type: 'string', default: '50' },
    concurrency: { type: 'string', default: '100' },
    'stand-still-ms': { type: 'string', default: '0' },
  },
});

await onPrivatePostgres(async (postgres, dir) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const redis = await startRedis({ dir: join(dir, 'redis') });
  try {
    const rounds: RoundFigures[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1)
      for (const instances of [1, 2]) {
        const figures = await measureRound({
          redisUrl: redis.url,
          serverPids: { postgres: postgres.pid, redis: redis.pid },
          instances,
          cases: Number(values.cases),
          modelMs: Number(values['model-ms']),
          concurrency: Number(values.concurrency),
          standStillMs: Number(values['stand-still-ms']),
        });
        rounds.push(figures);
        console.log(`round ${round}:`, figures);
      }
    const median = (instances: number): RoundFigures => {
      const own = rounds.filter((one) => one.instances === instances);
      return own.toSorted((a, b) => a.casesPerSecond - b.casesPerSecond)[Math.floor(own.length / 2)]!;
    };
    const [one, two] = [median(1), median(2)];
    console.table({ '1 instance': flat(one), '2 instances': flat(two) });
    const ratio = two.casesPerSecond / one.casesPerSecond;
    console.log(`2 instances: ${ratio.toFixed(2)} x the cases per second of 1`);
    const isExact = rounds.every(
      (round) =>
        round.twice + round.unexplained === 0 &&
        round.decided === round.cases &&
        round.mostInFlight <= Number(values.concurrency) &&
        round.reservedLeft === 0 &&
        round.spent === round.charged,
    );
    return isExact && ratio >= NOT_LOWER;
  } finally {
    await redis.stop();
  }
});

function flat({ processorMs, ...others }: RoundFigures) {
  return { ...others, ...processorMs };
}
