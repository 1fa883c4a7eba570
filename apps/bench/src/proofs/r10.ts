import { setTimeout as pause } from 'node:timers/promises';
import { postAlert } from '@casefile/e2e/testing/sender';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { testDatabase } from '@casefile/store/testing';
import { alertNumber } from './parts/system.js';
import { onlyIngest } from './parts/two-ingests.js';
import type { Proof } from './proof.js';

/** Senders that post at the same time. */
const SENDERS = 20;

export const r10: Proof = {
  id: 'R10',
  promise: 'An accepted alert is durable.',
  mechanism: 'Alert, case, run and due unit are one transaction. The answer 202 follows its commit.',
  figure: '0 of 10,000 acknowledged alerts missing, ingest killed every 2 s',
  limitMinutes: 10,
  mutation: {
    what: 'the answer 202 precedes the commit',
    replacements: [
      {
        file: 'libs/runtime/src/intake/intake.ts',
        find: 'const { runs } = writesForLane(store, request.lane);',
        replace: `const { runs } = writesForLane(store, request.lane);
          setTimeout(() => void runs.accept(request).catch(() => undefined), 500);
          return { kind: 'accepted', alertId: request.alertId, caseId: request.caseId, runId: request.runId, joined: false, nudges: [] };`,
      },
    ],
  },
  run: async ({ short, execArgv, say }) => {
    const alertCount = short ? 200 : 10_000;
    const database = await testDatabase();
    const [ingest] = await onlyIngest(1, { databaseUrl: database.url, queueUrl: database.url, execArgv });
    if (ingest === undefined) throw new Error('there is no ingest');
    const acknowledged: string[] = [];
    let posted = 0;
    const send = async (): Promise<void> => {
      while (acknowledged.length < alertCount) {
        posted += 1;
        const answer = await postAlert(ingest.url, alertNumber(posted), undefined, 10_000);
        if (answer?.status === 202 && answer.caseId !== null) acknowledged.push(answer.caseId);
        else await pause(50);
      }
    };
    let isOver = false;
    let kills = 0;
    const kill = async (): Promise<void> => {
      // The first kill waits for acknowledged alerts. Later ones leave time for more.
      for (let next = short ? alertCount / 4 : 500; !isOver; await pause(20)) {
        if (acknowledged.length < next) continue;
        await ingest.signal('SIGKILL');
        kills += 1;
        next = acknowledged.length + (short ? alertCount / 4 : 500);
        await ingest.start();
        say(`kill ${kills}, ${acknowledged.length} acknowledged`);
      }
    };
    const killing = kill();
    try {
      await Promise.all(Array.from({ length: SENDERS }, send));
      isOver = true;
      await killing;
      await ingest.signal('SIGKILL');
      const rows = await rowsIn(
        database.url,
        'select a.case_id from alerts a join runs r on r.alert_id = a.id',
      );
      const recordedIds = new Set(rows.map((row) => row['case_id']));
      const missing = acknowledged.filter((caseId) => !recordedIds.has(caseId)).length;
      return {
        measured: `${missing} of ${acknowledged.length} acknowledged missing, ${kills} kills`,
        passed: missing === 0 && kills > 0,
      };
    } finally {
      isOver = true;
      await killing.catch(() => undefined);
      await ingest.end();
      await database.drop();
    }
  },
};
