// Fills a record in a private Postgres and times the reads behind the console's pages.
// Options: [--cases 100000] [--interactions 1000000] [--dir FOLDER] [--explain] [--json]. With --dir the
// record is kept, a second call measures it again, and CASEFILE_DATA=FOLDER shows it in the console.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { createPostgresStore, migrate } from '@casefile/store';
import { fillRecord } from '../fill-record/fill-record.js';
import { explainLists, measureReads } from '../fill-record/measure-reads.js';
import { table } from '../ratios/report.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    interactions: { type: 'string', default: '1000000' },
    /**
     * A data folder to keep, as CASEFILE_DATA, to view the record in the console. Default: a temporary
     * folder.
     */
    dir: { type: 'string' },
    explain: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const cases = Number(values.cases);
const size = { cases, interactionsPerCase: Math.round(Number(values.interactions) / cases) };
const dir = values.dir ?? mkdtempSync(join(tmpdir(), 'casefile-fill-'));
// Uses the folder name of the platform, so that the folder can be the platform's data folder.
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
const databaseUrl = postgres.url('casefile');
try {
  await createDatabaseIfMissing(postgres.url('postgres'), 'casefile');
  await migrate(databaseUrl);
  if (await isEmpty(databaseUrl)) {
    const from = Date.now();
    await fillRecord(databaseUrl, size, (done) =>
      process.stderr.write(`${done} cases after ${Math.round((Date.now() - from) / 1000)} s\n`),
    );
  }
  const rows = await measureReads(databaseUrl);
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
  if (values.explain) console.log(await explainLists(databaseUrl));
} finally {
  await postgres.stop();
  if (values.dir === undefined) rmSync(dir, { recursive: true, force: true });
}

async function isEmpty(url: string): Promise<boolean> {
  const store = createPostgresStore({ databaseUrl: url, poolSize: 3 });
  try {
    return await store.record.isEmpty();
  } finally {
    await store.close();
  }
}
