import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { countRecord } from '@casefile/e2e/fault-run/count-record';
import { postAlert, postUntilAccepted } from '@casefile/e2e/testing/sender';
import { connectQueueStore, createAlertSender } from '@casefile/queue';
import { testDatabase } from '@casefile/store/testing';
import { alertNumber } from './parts/system.js';
import { onlyIngest } from './parts/two-ingests.js';
import type { Proof } from './proof.js';

export const r11: Proof = {
  id: 'R11',
  promise: 'Intake is idempotent.',
  mechanism: 'An alert joins the open case of its fingerprint. A key answers as it did the first time.',
  figure: '1 case of 100 concurrent alerts over HTTP and queue, 2 processes; same key with another body: 422',
  limitMinutes: 3,
  mutation: {
    what: 'a fingerprint is different each time',
    replacements: [
      {
        file: 'libs/runtime/src/intake/fingerprint.ts',
        find: 'alert.entities ?? null, alert.evidence ?? null,',
        replace: 'alert.entities ?? null, alert.evidence ?? null, globalThis.crypto.randomUUID(),',
      },
    ],
  },
  run: async ({ execArgv }) => {
    const redis = await startRedis({ dir: join(temporaryFolder('same'), 'redis') });
    const database = await testDatabase();
    const ingests = await onlyIngest(2, { databaseUrl: database.url, queueUrl: redis.url, execArgv });
    const connection = await connectQueueStore(redis.url, { log: silentLogger });
    const sender = createAlertSender(connection);
    try {
      const url = (n: number): string => ingests[n % 2]?.url ?? '';
      const alert = alertNumber('the same');
      const overHttp = Array.from({ length: 80 }, (_, n) =>
        postUntilAccepted(url(n), alert, `post-${n}`, 120_000),
      );
      const overQueue = sender.send(Array.from({ length: 20 }, () => ({ body: alert })));
      await Promise.all([...overHttp, overQueue]);
      for (let looks = 0; looks < 240 && (await countRecord(database.url)).alerts < 100; looks += 1)
        await pause(250);
      const { cases, alerts } = await countRecord(database.url);
      await postUntilAccepted(url(0), alertNumber('keyed'), 'one-key', 120_000);
      const other = await postAlert(url(1), alertNumber('another body'), 'one-key');
      return {
        measured: `${cases} case of ${alerts} alerts; same key with another body: ${other?.status}`,
        passed: cases === 1 && alerts === 100 && other?.status === 422,
      };
    } finally {
      await sender.close();
      await connection.close();
      await Promise.all(ingests.map((ingest) => ingest.end()));
      await database.drop();
      await redis.stop();
    }
  },
};
