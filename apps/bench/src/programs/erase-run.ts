// Erases cases while live cases are judged, and searches all tables and the queue for the planted words afterwards.
// Options: [--cases 10000] [--seed 1] [--rounds 5] [--per-second 4]. Exit code 1: a word is left, or a case was not
// erased exactly once.
import { parseArgs } from 'node:util';
import { silentLogger } from '@casefile/contracts';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';
import { eraseUnderLoad } from '../erase-run/erase-under-load.js';
import { plantWords } from '../erase-run/plant-words.js';
import { fillRecord } from '../fill-record/fill-record.js';
import { startSpine } from '../ratios/spine.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** Each round has a time without and a time with an erasure, so that both meet the same machine. */
    rounds: { type: 'string', default: '5' },
    /** Live cases. */
    'per-second': { type: 'string', default: '4' },
  },
});
const [cases, seed, rounds, perSecond] = [values.cases, values.seed, values.rounds, values['per-second']].map(
  Number,
) as [number, number, number, number];

await onPrivatePostgres(async (postgres, dir) => {
  await createDatabaseIfMissing(postgres.url('postgres'), 'erasures');
  const { url } = await openDatabase({ databaseUrl: postgres.url('erasures'), dataDir: dir }, silentLogger);
  await fillRecord(url, { cases, interactionsPerCase: 2 }, (done) => process.stderr.write(`${done} cases\n`));
  await plantWords(url);
  const spine = await startSpine(url, url, instantModel());
  try {
    const figures = await eraseUnderLoad(spine, url, { seed, rounds, perSecond });
    console.log(figures);
    return figures.erasedOnce === cases && figures.linesBefore > 0 && figures.linesAfter === 0;
  } finally {
    await spine.stop();
  }
});
