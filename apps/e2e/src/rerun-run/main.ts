import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { startEmbeddedPostgres } from '@casefile/embedded';
import { testDatabase } from '@casefile/store/testing';
import { killBatch } from './kill-batch.js';
import { replayAll } from './replay-all.js';

const flag = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

const dir = mkdtempSync(join(tmpdir(), 'casefile-rerun-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
let failed = false;
try {
  const times = flag('times', 36);
  if (times > 0) {
    const figures = await replayAll((await testDatabase()).url, times, console.log);
    console.log('replay:', figures);
    failed ||= figures.identical !== 2 * figures.cases || figures.callsReplayed > 0;
  }
  const kills = flag('kills', 10);
  if (kills > 0) {
    const cases = flag('cases', 500);
    const { url: databaseUrl } = await testDatabase();
    const every = { killEveryMs: flag('every-ms', 3_000), modelMs: flag('model-ms', 300) };
    const figures = await killBatch({
      databaseUrl,
      cases,
      kills,
      seed: flag('seed', 1),
      ...every,
      say: console.log,
    });
    console.log('batch with kills:', figures);
    const { done, runsTwice, outBefore, replaced, undelivered, extraCalls, underWayAtKills } = figures;
    failed ||= done !== cases || replaced !== cases || runsTwice + outBefore + undelivered > 0;
    failed ||= extraCalls > underWayAtKills;
  }
} finally {
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
