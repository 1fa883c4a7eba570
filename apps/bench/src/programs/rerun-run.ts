// Replays recorded cases, judges cases of an outage again, and kills services during a batch.
// Options (0 skips a part): [--times 36] [--outage 300] [--paced 1000] [--rate 8] [--cases 10000] [--kills
// 10] [--every-ms 20000] [--model-ms 300] [--seed 1]. Exit code 1: a verdict or a request differs, anything
// was opened, paid or sent twice, the rate is off by more than 5 %, or the estimate with a tenth done is off
// by more than 10 %.
import { testDatabase } from '@casefile/store/testing';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { killBatch } from '@casefile/e2e/rerun-run/kill-batch';
import { outage } from '@casefile/e2e/rerun-run/outage';
import { replayAll } from '@casefile/e2e/rerun-run/replay-all';

const flag = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  let failed = false;
  const times = flag('times', 36);
  if (times > 0) {
    const figures = await replayAll((await testDatabase()).url, times, console.log);
    console.log('replay:', figures);
    failed ||= figures.identical !== 2 * figures.cases || figures.callsReplayed > 0;
  }
  const outages = flag('outage', 300);
  if (outages > 0) {
    const figures = await outage(outages, console.log);
    console.log('outage:', figures);
    const { degraded, byModel, applied, handedOut, twice } = figures;
    failed ||= [byModel, applied, handedOut].some((count) => count !== degraded) || twice > 0;
  }
  const kills = flag('kills', 10);
  const paced = flag('paced', 1_000);
  if (paced > 0) {
    const rate = flag('rate', 8);
    const figures = await killBatch({
      databaseUrl: (await testDatabase()).url,
      cases: paced,
      kills: 0,
      seed: 0,
      ratePerSecond: rate,
      killEveryMs: 0,
      modelMs: flag('model-ms', 300),
      say: console.log,
    });
    console.log('batch at a rate:', figures);
    const { ratePerSecond, etaSeconds, leftSeconds, done } = figures;
    const isOff = (a: number, b: number, share: number) => Math.abs(a - b) > share * b;
    failed ||= done !== paced || isOff(ratePerSecond, rate, 0.05);
    failed ||= isOff(etaSeconds ?? 0, leftSeconds ?? 0, 0.1);
  }
  if (kills > 0) {
    const cases = flag('cases', 10_000);
    const { url: databaseUrl } = await testDatabase();
    const every = { killEveryMs: flag('every-ms', 20_000), modelMs: flag('model-ms', 300) };
    const figures = await killBatch({
      databaseUrl,
      cases,
      kills,
      seed: flag('seed', 1),
      ...every,
      say: console.log,
    });
    console.log('batch with kills:', figures);
    const { done, runsTwice, outBefore, replaced, extraCalls, underWayAtKills } = figures;
    failed ||= done !== cases || replaced !== cases || runsTwice + outBefore > 0;
    failed ||= extraCalls > underWayAtKills;
  }
  return !failed;
});
