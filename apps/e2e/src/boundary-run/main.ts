import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';
import { killAtBoundaries } from './kill-at-boundaries.js';
import { scriptedIncidents } from './scripted-incident.js';
import { scriptedResearches } from './scripted-research.js';

const at = process.argv.indexOf('--cases');
const cases = at < 0 ? 50 : Number(process.argv[at + 1]);
const script = process.argv.includes('--research') ? scriptedResearches : scriptedIncidents;
const dir = mkdtempSync(join(tmpdir(), 'casefile-boundary-run-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
let failed = false;
try {
  for (const handOn of ['queue', 'direct'] as const) {
    await createDatabaseIfMissing(postgres.url('postgres'), handOn);
    const { url } = await openDatabase({ databaseUrl: postgres.url(handOn), dataDir: dir }, silentLogger);
    const options = { script, databaseUrl: url, queueUrl: url, handOn, cases, step: 1, say: console.log };
    const result = await killAtBoundaries(options);
    console.log(`handOn ${handOn}:`, result);
    const again = result.paidAgain + result.calledAgain + result.otherVerdicts;
    failed ||= result.decided !== cases || again > 0;
  }
} finally {
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
