// Sends alerts through real Alertmanagers and reports lost or duplicate cases.
// Options: [--alerts 200] [--groups 20] [--senders 2] [--repeats 10] [--outage-seconds 30]. Debian's
// Alertmanagers run privately. Alerts fire, are repeated, resolve while intake answers 503, and fire again.
// Exit code 1: an alert was lost, or a case or a run was created twice.
import { playbooks } from '@casefile/pipeline';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { realWorld } from '@casefile/e2e/testing/world';
import { outage } from '@casefile/e2e/toy-kind/outage/index';
import { runAlerts } from '@casefile/e2e/alertmanager/run-alerts';

const flag = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
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
