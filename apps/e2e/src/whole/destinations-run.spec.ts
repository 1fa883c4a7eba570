import { runDestinations, type DestinationsRun } from '../destinations-run/run-destinations.js';

it('every verdict reaches good, dead, refusing, hanging and closing destinations, though the sender is killed', async () => {
  const run: DestinationsRun = {
    verdicts: 40,
    kills: 2,
    seed: 1,
    perSecond: 8,
    others: 'faulty',
    isHurried: true,
    settleMs: 400_000,
  };
  const { destinations } = await runDestinations(run);
  const delivered = { missing: 0, otherIds: 0, exhausted: 0 };
  const { good, dead, refuses, hangs, closes } = destinations;
  expect({ good, dead, refuses, hangs, closes }).toMatchObject({
    good: delivered,
    dead: delivered,
    refuses: delivered,
    hangs: delivered,
    closes: delivered,
  });
  // The faults of the seed happened.
  for (const faulty of [refuses, hangs, closes]) expect(faulty?.requests).toBeGreaterThan(run.verdicts);
}, 600_000);
