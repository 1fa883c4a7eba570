import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { gatedModel } from '@casefile/e2e/browser/gated-model';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { worldOn, type World } from '@casefile/e2e/testing/world';
import { testDatabase } from '@casefile/store/testing';
import { MODEL_MS } from '../ratios/with-bulk.js';
import { percentile } from './parts/faults.js';
import { alertNumber, settled } from './parts/system.js';
import type { Proof } from './proof.js';

export const r16: Proof = {
  id: 'R16',
  promise: 'A backlog does not delay live alerts.',
  mechanism: 'Lanes have queues of their own, and bulk work starts only while no live work has to wait.',
  figure: `live p95 <= 1.2 x while a batch of 10,000 waits and a model answers after ${MODEL_MS} ms`,
  limitMinutes: 15,
  mutation: {
    what: 'live work is put into the queues of bulk work',
    replacements: [
      {
        file: 'libs/contracts/src/job.ts',
        find: "lane === 'live' ? 'live' : 'bulk'",
        replace: "'bulk'",
      },
    ],
  },
  run: async (context) => {
    const redis = await startRedis({ dir: join(temporaryFolder('fair'), 'redis') });
    const database = await testDatabase();
    const model = gatedModel({ content: '', reasoning: '' });
    model.instead = instantModel(context.short ? 0 : MODEL_MS);
    const world = await worldOn(database.url, redis.url, model, { LOG_LEVEL: 'fatal' });
    try {
      if (context.short) {
        model.shut();
        await many(world, 'batch', 120);
        await many(world, 'live', 10);
        model.open();
        await settled(database.url, 120_000);
        const lanes = await decidedInOrder(database.url);
        const earlier = lanes.slice(0, lanes.lastIndexOf('live')).filter((lane) => lane === 'batch').length;
        return {
          measured: `${earlier} of 120 bulk cases decided before the last of 10 live ones`,
          passed: lanes.length === 130 && earlier < 60,
        };
      }
      await livePercentile(world, database.url, 'warm-up');
      const without = await livePercentile(world, database.url, 'without');
      context.say(`live p95 without a backlog: ${without.toFixed(0)} ms`);
      await many(world, 'batch', 10_000);
      const beside = await livePercentile(world, database.url, 'beside');
      const [waiting] = await rowsIn(
        database.url,
        `select count(*)::int as n from runs where lane = 'batch' and status = 'due'`,
      );
      const { unfinished } = await settled(database.url, 600_000);
      return {
        measured: `live p95 ${(beside / without).toFixed(2)} x (${without.toFixed(0)} ms without), ${waiting?.['n']} still waited at the end`,
        passed: beside <= 1.2 * without && Number(waiting?.['n']) > 0 && unfinished === 0,
      };
    } finally {
      model.open();
      await world.close();
      await database.drop();
      await redis.stop();
    }
  },
};

async function many(world: World, lane: 'live' | 'batch', count: number): Promise<void> {
  for (let first = 0; first < count; first += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - first) }, (_, n) =>
        world.accept({ ...alertNumber(`${lane} ${first + n}`), collect: false }, { lane }),
      ),
    );
}

/** Lanes of all runs, in the order of their verdicts. */
async function decidedInOrder(databaseUrl: string): Promise<string[]> {
  const rows = await rowsIn(
    databaseUrl,
    `select r.lane from artifacts a join runs r on r.id = a.run_id where a.artifact = 'verdict' order by a.created_at`,
  );
  return rows.map(({ lane }) => String(lane));
}

/** Time below which 95 % of 200 live alerts were decided, at ten per second, in milliseconds. */
async function livePercentile(world: World, databaseUrl: string, name: string): Promise<number> {
  const sent: Promise<{ runId: string }>[] = [];
  for (let n = 0; n < 200; n += 1) {
    sent.push(world.accept({ ...alertNumber(`${name} ${n}`), collect: false }));
    await pause(100);
  }
  const ids = (await Promise.all(sent)).map(({ runId }) => `'${runId}'`).join(', ');
  const read = () =>
    rowsIn(
      databaseUrl,
      `select extract(epoch from v.created_at - r.created_at) * 1000 as ms from runs r
       left join artifacts v on v.run_id = r.id and v.artifact = 'verdict' where r.id in (${ids})`,
    );
  while ((await read()).some(({ ms }) => ms === null)) await pause(250);
  return percentile(
    (await read()).map(({ ms }) => Number(ms)),
    0.95,
  );
}
