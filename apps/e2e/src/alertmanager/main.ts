import { playbooks } from '@casefile/pipeline';
import { onPrivatePostgres } from '../testing/private-postgres.js';
import { realWorld } from '../testing/world.js';
import { outage } from '../toy-kind/outage/index.js';
import { runAlerts } from './run-alerts.js';

const flag = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const world = await realWorld(null, null, { LOG_LEVEL: 'fatal' }, [outage, ...playbooks]);
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
    return cases === alerts && secondRuns === alerts && lost + twice + undecided === 0;
  } finally {
    await world.close();
  }
});
