import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { postAlert, postUntilAccepted } from '@casefile/e2e/testing/sender';
import { testDatabase } from '@casefile/store/testing';
import { databaseGate } from './parts/database-gate.js';
import { ownPostgres } from './parts/own-postgres.js';
import { alertNumber, proofSystem, settled } from './parts/system.js';
import type { Proof } from './proof.js';

export const r9: Proof = {
  id: 'R9',
  promise: 'Without Postgres, intake answers 503 and loses nothing that it accepted.',
  mechanism: 'An alert is answered 202 after the commit, and 503 if the database does not answer in time.',
  figure:
    '503 within 1 s while Postgres is away, frozen, stopped by SIGSTOP or full for 30 s; 0 accepted lost, also with an outage every 5 to 10 s',
  limitMinutes: 10,
  mutation: {
    what: 'an unreachable database is not reported as such',
    replacements: [
      {
        file: 'libs/store/src/store-errors.ts',
        find: "return new CasefileError('store_unreachable', `The database ${what}: ${message}`, {",
        replace: "return new CasefileError('store_error', `The database ${what}: ${message}`, {",
      },
    ],
  },
  run: async (context) => {
    const { short, seed, say } = context;
    const random = seededRandom(seed);
    const redis = await startRedis({ dir: join(temporaryFolder('without'), 'redis') });
    // Only a server of its own can be stopped. The short form shares the server of the tests.
    const own = short ? null : await ownPostgres();
    const database = own === null ? await testDatabase() : null;
    const databaseUrl = own?.url ?? database?.url ?? '';
    const gate = await databaseGate(databaseUrl);
    const system = await proofSystem(context, { databaseUrl: gate.url, queueUrl: redis.url, modelMs: 10 });
    let accepted = 0;
    const accept = async (key: string): Promise<void> => {
      await postUntilAccepted(system.ingestUrl, alertNumber(key), key, 120_000);
      accepted += 1;
    };
    const refusals: { status: number; ms: number }[] = [];
    try {
      const outages = {
        shut: { begin: gate.shut, end: gate.open },
        frozen: { begin: gate.freeze, end: gate.open },
        full: { begin: gate.fill, end: gate.open },
        ...(own === null ? {} : { stopped: { begin: own.freeze, end: own.thaw } }),
      };
      for (const [name, { begin, end }] of Object.entries(outages)) {
        await accept(`before-${name}`);
        // In the short form its stages run in the process of intake, and would delay the answers.
        await settled(databaseUrl, 60_000);
        begin();
        const until = performance.now() + (short ? 1_000 : 30_000);
        for (let n = 0; performance.now() < until; n += 1) {
          const posted = await postAlert(system.ingestUrl, alertNumber(`${name}-${n}`), `${name}-${n}`);
          refusals.push(posted ?? { status: 0, ms: 0 });
          await pause(200);
        }
        end();
        say(`${name}: ${refusals.length} answers so far, slowest ${Math.round(slowestOf(refusals))} ms`);
        await accept(`after-${name}`);
      }
      for (let outage = 1; outage <= (short ? 2 : 12); outage += 1) {
        const sent = Array.from({ length: 20 }, (_, n) => accept(`outage-${outage}-${n}`));
        await pause(short ? 100 : 5_000 + random() * 5_000);
        gate.shut();
        await pause(500);
        gate.open();
        await Promise.all(sent);
      }
      const counts = await settled(databaseUrl, 180_000);
      const others = refusals.filter(({ status }) => status !== 503).length;
      // An alert that was answered 503 while the database was frozen may be on the record.
      const lost = Math.max(0, accepted - counts.decided);
      return {
        measured: `${refusals.length - others} of ${refusals.length} answers 503, slowest ${(slowestOf(refusals) / 1000).toFixed(1)} s; ${lost} of ${accepted} accepted lost`,
        passed: others === 0 && lost === 0 && (short || slowestOf(refusals) <= 1_000),
      };
    } finally {
      await system.close();
      await gate.close();
      await database?.drop();
      await own?.close();
      await redis.stop();
    }
  },
};

const slowestOf = (answers: readonly { ms: number }[]): number => Math.max(0, ...answers.map(({ ms }) => ms));
