import { setTimeout as pause } from 'node:timers/promises';
import { countRecord } from '@casefile/e2e/fault-run/count-record';
import { postUntilAccepted } from '@casefile/e2e/testing/sender';
import { onRedisServices } from './parts/redis-services.js';
import { alertNumber, settled } from './parts/system.js';
import type { Proof } from './proof.js';

export const r6: Proof = {
  id: 'R6',
  promise: 'A crash of Redis loses and repeats nothing.',
  mechanism: 'Postgres has every due unit. The sweeper wakes units that have no job.',
  figure: '0 lost, 0 duplicates; Redis killed 10 times under load',
  limitMinutes: 10,
  mutation: {
    what: 'the sweeper wakes no unit, also if the sentinel is missing',
    replacements: [
      {
        file: 'libs/engine/src/sweep/sweeper.ts',
        find: 'const candidates = await ports.store.units.sweep(batch, cases);',
        replace: 'const candidates = [];',
      },
      {
        file: 'libs/engine/src/sweep/sweeper.ts',
        find: 'await this.refill()',
        replace: 'null',
      },
    ],
  },
  run: async (context) => {
    const [crashes, perCrash] = context.short ? [0, 6] : [9, 30];
    const modelMs = context.short ? 100 : 500;
    return onRedisServices(
      context,
      { modelMs, oneCall: false, shortInOneProcess: true },
      async ({ redis, databaseUrl, system }) => {
        const before = await countRecord(databaseUrl);
        context.say('the services are up');
        const ingest = system.service('ingest');
        const send = (key: string) => postUntilAccepted(ingest.url, alertNumber(key), key, 120_000);
        const sent: Promise<string>[] = [];
        try {
          for (let crash = 1; crash <= crashes; crash += 1) {
            for (let n = 0; n < perCrash; n += 1) {
              sent.push(send(`crash-${crash}-${n}`));
              // Half of the alerts come in while Redis is not there.
              if (n === perCrash / 2) await redis.kill9();
              await pause(context.short ? 50 : 60);
            }
            await redis.restart();
            context.say(`Redis was killed ${crash} times`);
            await pause(context.short ? 200 : 2_000);
          }
          // The last crash: intake, which accepts alerts meanwhile, ends as well, and with it the jobs to be sent. In the
          // short form all other services end with it.
          await Promise.all(sent);
          await redis.kill9();
          for (let n = 0; n < perCrash; n += 1) sent.push(send(`last-${n}`));
          await Promise.all(sent);
          await ingest.signal('SIGKILL');
          await redis.restart();
          await ingest.start();
          context.say('intake was killed and started again');
          const ids = new Set(await Promise.all(sent));
          const counts = await settled(databaseUrl, 180_000);
          context.say(`${counts.unfinished} runs unfinished, ${counts.deliveriesOpen} deliveries open`);
          const total = (crashes + 1) * perCrash;
          const decided = counts.decided - before.decided;
          const twice = counts.cases - before.cases - ids.size + counts.verdictsTwice + counts.answeredTwice;
          return {
            measured: `${total - decided} of ${total} lost, ${twice} duplicates, ${crashes + 1} crashes`,
            passed: decided === total && ids.size === total && twice === 0,
          };
        } finally {
          await Promise.allSettled(sent);
        }
      },
    );
  },
};
