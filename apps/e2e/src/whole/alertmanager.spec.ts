import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { runAlerts } from '../alertmanager/run-alerts.js';
import { realWorld, type World } from '../testing/world.js';
import { outage } from '../toy-kind/outage/index.js';

/** Each post that is refused is an error in the log. */
const QUIET = { LOG_LEVEL: 'fatal' };

describe('a real Alertmanager', () => {
  let world: World;
  beforeAll(
    async () =>
      void (world = await realWorld('postgres', null, QUIET, [defineKind({ playbook: outage }), ...kinds])),
  );
  afterAll(() => world.close());

  it('S2-40 S2-45 two of them, an overload and repeats make one case an alert, and one more run when it fires again', async () => {
    const figures = await runAlerts(world, outage.name, {
      alerts: 24,
      groups: 4,
      senders: 2,
      repeats: 3,
      outageMs: 3_000,
      groupSeconds: 1,
      repeatSeconds: 2,
      say: () => undefined,
    });
    expect(figures).toMatchObject({
      cases: 24,
      runs: 48,
      secondRuns: 24,
      lost: 0,
      twice: 0,
      undecided: 0,
      resolved: 24,
      flaps: 0,
    });
    expect(figures.refused).toBeGreaterThan(0);
  });
});
