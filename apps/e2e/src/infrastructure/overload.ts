import { join } from 'node:path';
import { pause, temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { METRICS } from '@casefile/telemetry';
import { FIVE_SERVICES, type FiveServices } from '../testing/five-services.js';
import { PATIENT } from '../testing/patient-settings.js';
import { anAlert, deliveredAll, installation, withoutModel } from './judging.js';
import type { Outcome, Scenario, Site } from './scenario.js';

/** Duration of an answer of the model, in milliseconds. */
const CALL_MS = 200;
/** Unfinished runs from which intake answers 503. */
const MOST_WAITING = 200;
/** Offered alerts for each that is decided at the highest rate. */
const OVERLOAD = 4;
/** Smallest wanted share of the highest rate. */
const LEAST_SHARE = 0.9;
/** The highest rate is measured with so many unfinished alerts, in so many periods of this length. */
const SENDERS = 100;
const PERIODS = 5;
const PERIOD_MS = 4_000;
/** An overload below this says nothing about rates, in milliseconds. */
const ENOUGH_MS = 60_000;
/** Alerts are sent in turns of this length, in milliseconds. */
const TURN_MS = 50;

const decidedCount = async ({ store }: FiveServices): Promise<number> => {
  const [row] = await store.database.rows<{ n: number }>(
    `select count(*)::int as n from runs where status = 'decided'`,
  );
  return row!.n;
};

/** Sends alerts one after another until `isOver`, in `SENDERS` places. Returns the number of accepted ones. */
async function keepBusy(system: FiveServices, isOver: () => boolean): Promise<number> {
  let accepted = 0;
  const sender = async () => {
    while (!isOver()) {
      await system.alert(anAlert());
      accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return accepted;
}

/** Returns the highest rate of the periods, in cases per second. */
async function highestRate(system: FiveServices): Promise<number> {
  let highest = 0;
  for (let i = 0; i < PERIODS; i += 1) {
    const [before, from] = [await decidedCount(system), performance.now()];
    await pause(PERIOD_MS, 'the rate is measured');
    const seconds = (performance.now() - from) / 1_000;
    highest = Math.max(highest, ((await decidedCount(system)) - before) / seconds);
  }
  return highest;
}

/** Counts of intake's answers. */
interface Answers {
  accepted: number;
  refused: number;
}

/** Offers alerts at a rate, whatever intake answers. No alert is sent again. */
async function offer({ url }: { url: string }, count: number, perSecond: number): Promise<Answers> {
  const headers = { 'content-type': 'application/json' };
  const answers = { accepted: 0, refused: 0 };
  const send = async () => {
    const response = await fetch(`${url}/v1/alerts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(anAlert()),
    });
    await response.arrayBuffer();
    if (response.status === 202) answers.accepted += 1;
    else if (response.status === 503) answers.refused += 1;
    else throw new Error(`intake answered ${response.status}`);
  };
  const open: Promise<void>[] = [];
  const from = performance.now();
  while (open.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - from) / 1_000) * perSecond));
    while (open.length < due) open.push(send());
    await pause(TURN_MS, 'alerts are offered at a rate');
  }
  await Promise.all(open);
  return answers;
}

/** Returns the number of writes that a living worker lost because another one had its lease. */
async function leasesTaken({ services }: FiveServices): Promise<number> {
  const name = METRICS.stageStale.replaceAll('.', '_');
  const texts = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function overload(site: Site): Promise<Outcome> {
  const redis = await startRedis({ dir: join(temporaryFolder('infrastructure'), 'redis') });
  site.onEnd(() => redis.stop());
  const { system, receiver } = await installation(site, {
    services: [...FIVE_SERVICES],
    queueUrl: redis.url,
    script: { delayMs: CALL_MS },
    settings: { ...PATIENT, intake: { maxBacklog: MOST_WAITING } },
  });
  await system.start();
  let isMeasured = false;
  const busy = keepBusy(system, () => isMeasured);
  const peak = await highestRate(system);
  isMeasured = true;
  const before = await busy;
  await until('the cases of the measurement are decided', async () => (await decidedCount(system)) >= before);
  const from = performance.now();
  const answers = await offer(system.service('ingest'), site.cases, OVERLOAD * peak);
  const tookMs = performance.now() - from;
  const share = ((await decidedCount(system)) - before) / (tookMs / 1_000) / peak;
  const outcome = await deliveredAll({ system, receiver }, before + answers.accepted);
  const taken = await leasesTaken(system);
  const rated = await withoutModel(system, outcome);
  return {
    ...rated,
    turnedAway: answers.refused,
    // Those of the measurement are no alerts of the site.
    counts: {
      ...rated.counts,
      accepted: rated.counts.accepted - before,
      decided: rated.counts.decided - before,
      delivered: rated.counts.delivered - before,
    },
    note: `${peak.toFixed(0)} per second at most, ${share.toFixed(2)} of it for ${Math.round(tookMs / 1_000)} s; ${answers.refused} turned away; ${taken} leases taken; ${rated.note}`,
    failures: [
      ...rated.failures,
      ...(taken === 0 ? [] : [`${taken} leases were taken from living workers`]),
      ...(share >= LEAST_SHARE || tookMs < ENOUGH_MS ? [] : [`${share.toFixed(2)} of the highest rate`]),
    ],
  };
}

/** More alerts than the services can judge. */
export const OVERLOAD_SCENARIOS: readonly Scenario[] = [
  {
    name: 'overload',
    what: `${OVERLOAD} times as many alerts as the services can judge, with at most ${MOST_WAITING} waiting`,
    refuses: null,
    run: overload,
  },
];
