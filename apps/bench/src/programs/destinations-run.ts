// Sends verdicts to a good and four faulty destinations while their sender is killed, and reports losses.
// Options: [--verdicts 1000] [--kills 10] [--seed 1] [--per-second 8] [--only times]. One destination refuses
// connections for an hour, one answers 500 to a third of the requests, one holds a tenth of them for 60 s, and
// one closes the connection of a third. The waits between attempts pass 120 times faster: the program moves the
// due times on the record; the services run unchanged. Three further runs without kills, in which waits pass as in
// production, compare the times of the good one next to faulty ones, next to four without faults, and alone.
// `--only times` runs only these three.
// Exit code 1: a verdict is missing at a destination, or arrived with two delivery ids.
import { RECEIVERS } from '@casefile/e2e/destinations-run/faulty-receivers';
import { runDestinations } from '@casefile/e2e/destinations-run/run-destinations';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';

const flag = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};

const isTimesOnly = process.argv.includes('times');

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const run = {
    verdicts: flag('verdicts', 1_000),
    kills: flag('kills', 10),
    seed: flag('seed', 1),
    perSecond: flag('per-second', 8),
    settleMs: 1_800_000,
    say: console.log,
  };
  const faulty = isTimesOnly ? null : await runDestinations({ ...run, others: 'faulty', isHurried: true });
  if (faulty !== null) console.log('with the faulty destinations:', faulty);
  const timed = { ...run, kills: 0, isHurried: false };
  const among = (await runDestinations({ ...timed, others: 'faulty' })).destinations.good;
  const healthy = (await runDestinations({ ...timed, others: 'healthy' })).destinations.good;
  const alone = (await runDestinations({ ...timed, others: 'none' })).destinations.good;
  console.log('the good one among the faulty ones:', among);
  console.log('among four without faults:', healthy, 'and alone:', alone);
  const p95Of = (figures: typeof among): number => figures?.p95 ?? Number.NaN;
  const [p95, sound, only] = [p95Of(among), p95Of(healthy), p95Of(alone)];
  console.log(
    `p95 of the good destination: ${p95} ms; ${(p95 / sound).toFixed(2)} x that beside four without faults (${sound} ms); ${(p95 / only).toFixed(2)} x that alone (${only} ms)`,
  );
  const isWhole = (figures: typeof among) =>
    figures !== undefined && figures.missing + figures.otherIds === 0;
  const areWhole = faulty === null || RECEIVERS.every((name) => isWhole(faulty.destinations[name]));
  return areWhole && [among, healthy, alone].every(isWhole);
});
