import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CasefileError } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { countRecord } from '../fault-run/count-record.js';
import { faultyReceiver, type FaultyReceiver } from '../destinations-run/faulty-receivers.js';
import { fiveServices, type FiveServices, type FiveServicesOptions } from '../testing/five-services.js';
import type { Counts, Outcome, Scenario, Site } from './scenario.js';

/** Limit of each wait for all alerts of a scenario, in milliseconds. */
const SETTLE_MS = 240_000;
/** Concurrent senders. */
const SENDERS = 20;
const NOTHING: Counts = { accepted: 0, decided: 0, delivered: 0, twice: 0 };

/** An installation whose verdicts go to a receiver that counts them. */
export interface Installation {
  system: FiveServices;
  receiver: FaultyReceiver;
}

/** Prepares an installation, which ends with the scenario. Default: all services in one process, by rules. */
export async function installation(
  site: Site,
  { env, ...options }: FiveServicesOptions,
): Promise<Installation> {
  const databaseUrl = options.databaseUrl ?? (await ownDatabase(site));
  const receiver = await faultyReceiver('good', { seed: 1, isFaulty: false });
  await receiver.listen();
  site.onEnd(() => receiver.close());
  const destinations = { counted: { type: 'webhook', url: receiver.url, allowPrivate: true } };
  const system = await fiveServices({
    services: 'one process',
    ...options,
    databaseUrl,
    settings: { correlation: { enabled: false }, ...options.settings, destinations },
    env: (simulator) => ({
      ...(options.script === undefined ? { LLM_PROVIDER: 'none' } : {}),
      ...env?.(simulator),
    }),
  });
  site.onEnd(() => system.close());
  return { system, receiver };
}

async function ownDatabase(site: Site): Promise<string> {
  const database = await site.database();
  site.onEnd(() => database.drop());
  return database.url;
}

/**
 * Starts an installation, sends the alerts of the site while `fault` runs, waits for all verdicts, and counts.
 * @param fault What happens in the middle. Default: nothing.
 */
export async function judgeAll(
  site: Site,
  { system, receiver }: Installation,
  fault: () => Promise<void> = async () => undefined,
): Promise<Outcome> {
  await system.start();
  const half = Math.floor(site.cases / 2);
  const first = await sendAlerts(system, half);
  const [second] = await Promise.all([sendAlerts(system, site.cases - half), fault()]);
  return deliveredAll({ system, receiver }, first.length + second.length);
}

/** Waits until so many accepted cases are decided and their verdicts delivered, and counts. */
export async function deliveredAll({ system, receiver }: Installation, cases: number): Promise<Outcome> {
  const failures: string[] = [];
  await settled(
    `${cases} cases are decided`,
    failures,
    async () => (await decidedRuns(system)).length >= cases,
  );
  const runs = await decidedRuns(system);
  const received = () => new Set(receiver.accepted.map(({ runId }) => runId));
  await settled(
    `${runs.length} verdicts are delivered`,
    failures,
    async () => received().size >= runs.length,
  );
  return { counts: await countsOf(system, receiver, cases, runs), refused: null, failures };
}

/** Adds the circuits that opened, and the verdicts without the model. */
export async function withoutModel({ store }: FiveServices, outcome: Outcome): Promise<Outcome> {
  const circuits = await store.database.rows(`select from events where type = 'provider.circuit'`);
  const degraded = await store.database.rows(`select from runs where degraded`);
  return {
    ...outcome,
    note: `${degraded.length} without the model, ${circuits.length} changes of the circuit`,
    failures: [
      ...outcome.failures,
      ...(circuits.length === 0 ? [] : ['the circuit of the healthy provider changed']),
      ...(degraded.length === 0 ? [] : [`${degraded.length} verdicts were made without the model`]),
    ],
  };
}

/** Waits; a condition that does not come to hold is a failure of the scenario, whose counts are still wanted. */
async function settled(what: string, failures: string[], holds: () => Promise<boolean>): Promise<void> {
  await until(what, holds, 200, SETTLE_MS).catch((error: Error) => void failures.push(error.message));
}

async function countsOf(
  { databaseUrl }: FiveServices,
  { accepted }: FaultyReceiver,
  count: number,
  runs: readonly string[],
): Promise<Counts> {
  const { verdictsTwice, answeredTwice } = await countRecord(databaseUrl);
  const ids = new Map<string, Set<string>>();
  for (const { runId, deliveryId } of accepted) ids.set(runId, (ids.get(runId) ?? new Set()).add(deliveryId));
  const otherIds = [...ids.values()].filter(({ size }) => size > 1).length;
  const delivered = runs.filter((runId) => ids.has(runId)).length;
  return {
    accepted: count,
    decided: runs.length,
    delivered,
    twice: verdictsTwice + answeredTwice + otherIds,
  };
}

async function decidedRuns({ store }: FiveServices): Promise<string[]> {
  const rows = await store.database.rows<{ id: string }>(
    `select id::text from runs where status = 'decided' and lane = 'live'`,
  );
  return rows.map(({ id }) => id);
}

/** Sends alerts, each until it is accepted. Returns the ids of their cases. */
export async function sendAlerts(system: Pick<FiveServices, 'alert'>, count: number): Promise<string[]> {
  const cases: string[] = [];
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      sent += 1;
      cases.push(await system.alert(anAlert()));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return cases;
}

/** Returns an alert that opens a case of its own. */
export const anAlert = () => ({
  playbook: 'scam-verdict',
  text: `Your parcel waits, pay at https://parcel-${randomUUID()}.example/pay`,
});

/**
 * Returns the scenario of an installation that has to refuse to work. Its outcome has the reason, and the number of
 * alerts that it accepts all the same.
 */
export function refusing(
  name: string,
  what: string,
  refuses: RegExp,
  prepare: (site: Site) => Promise<Installation>,
): Scenario {
  return {
    name,
    what,
    refuses,
    run: async (site) => {
      const { system } = await prepare(site);
      const ingest = system.service('ingest');
      ingest.spawn();
      let refused = '';
      await until(
        () => `the installation refuses to work, last: ${refused}`,
        async () => {
          if (ingest.exitCode !== null) {
            refused = lastLines(system.logFile);
            return true;
          }
          const ready = await fetch(`${ingest.url}/health/ready`).catch(() => null);
          if (ready?.status === 200) throw new CasefileError('unexpected', 'it reports ready');
          refused = (await ready?.text()) ?? '';
          // Other reasons pass: as it starts, the stores are not connected yet.
          return refuses.test(refused);
        },
      );
      const accepted = ingest.exitCode === null ? await acceptedBy(ingest.url, site.cases) : 0;
      return { counts: { ...NOTHING, accepted }, refused, failures: [] };
    },
  };
}

async function acceptedBy(url: string, count: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const posts = Array.from({ length: count }, () =>
    fetch(`${url}/v1/alerts`, { method: 'POST', headers, body: JSON.stringify(anAlert()) }),
  );
  return (await Promise.all(posts)).filter(({ status }) => status === 202).length;
}

const lastLines = (file: string): string =>
  readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
