import { playbooks } from '@casefile/pipeline';
import { startEmbeddedPostgres } from '@casefile/embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { realWorld } from '../testing/world.js';
import { outage } from '../toy-kind/outage/index.js';
import { runAlerts } from './run-alerts.js';

const flag = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

const dir = mkdtempSync(join(tmpdir(), 'casefile-alert-run-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
const world = await realWorld(null, null, { LOG_LEVEL: 'fatal' }, [outage, ...playbooks]);
let failed: boolean;
try {
  const alerts = flag('alerts', 200);
  const figures = await runAlerts(world, outage.name, {
    alerts,
    groups: flag('groups', 20),
    senders: flag('senders', 2),
    repeats: flag('repeats', 10),
    outageMs: flag('outage-seconds', 30) * 1_000,
    groupSeconds: 2,
    repeatSeconds: 4,
    say: console.log,
  });
  console.log(figures);
  const { cases, secondRuns, lost, twice, undecided } = figures;
  failed = cases !== alerts || secondRuns !== alerts || lost + twice + undecided > 0;
} finally {
  await world.close();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
