import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@casefile/contracts';
import { fiveServices, type FiveServices } from '../testing/five-services.js';
import { faultyReceiver, RECEIVERS, type FaultyReceiver, type ReceiverName } from './faulty-receivers.js';

export interface DestinationsRun {
  verdicts: number;
  /** Number of times that the process of the decision service is killed with -9 while alerts arrive. */
  kills: number;
  seed: number;
  perSecond: number;
  /** The four destinations in addition to the good one: with their faults, without faults, or none. */
  others: 'faulty' | 'healthy' | 'none';
  /** Whether waits between attempts pass 120 times faster. Otherwise the run ends with the good deliveries. */
  isHurried: boolean;
  /** Time limit from the last alert until every delivery has ended. */
  settleMs: number;
  say?(line: string): void;
}

/** Results for one destination, counted at the receiver and on the record. */
export interface DestinationFigures {
  /** Verdicts that the receiver never accepted. */
  missing: number;
  /** Verdicts that arrived with more than one `deliveryId`. */
  otherIds: number;
  /** Accepted requests beyond one per verdict. */
  repeats: number;
  /** Requests that the receiver read. */
  requests: number;
  exhausted: number;
  /**
   * Times from the creation of a delivery to its first acceptance, in milliseconds. Deliveries of the first 10 s
   * are left out: their time is that of services that start.
   */
  p50: number;
  p95: number;
}

export interface DestinationsResult {
  verdicts: number;
  kills: number;
  destinations: Partial<Record<ReceiverName, DestinationFigures>>;
}

/**
 * Factor by which the waits between attempts pass faster than in production. A second process moves the due
 * times of waiting deliveries on the record forward, as if the time had passed: the services run unchanged,
 * with their own clock and their own limits. An hour passes in 30 s. The 15 s timeout of a request and the
 * 30 s after which a dead process's reservation ends are real time.
 */
const FASTER = 120;
const DEAD_FOR_MS = 3_600_000 / FASTER;
const TICK_MS = 250;
const STARTING_MS = 10_000;
const RESTART_AFTER_MS = 300;

const HURRY = `
  update outbound_deliveries set next_at = next_at - $1 * interval '1 millisecond'
  where state = 'pending' and attempts > 0 and next_at > now() and (taken_until is null or taken_until < now())`;

const OPEN = `
  select (select count(*) from deliveries where delivered_at is not null)::int as verdicts,
    (select count(*) from outbound_deliveries where state <> 'pending' and destination = any($1))::int as ended`;

/** Sends alerts, kills the sender of their verdicts, and counts what each destination received. */
export async function runDestinations(run: DestinationsRun): Promise<DestinationsResult> {
  const names = run.others === 'none' ? (['good'] as const) : RECEIVERS;
  const isFaulty = run.others === 'faulty';
  const receivers: FaultyReceiver[] = [];
  for (const name of names) receivers.push(await faultyReceiver(name, { seed: run.seed, isFaulty }));
  await Promise.all(receivers.filter(({ name }) => !isFaulty || name !== 'dead').map((one) => one.listen()));
  const destinations = Object.fromEntries(
    receivers.map(({ name, url }) => [name, { type: 'webhook', url, allowPrivate: true }]),
  );
  const system = await fiveServices({ settings: { destinations }, env: () => ({ LLM_PROVIDER: 'none' }) });
  const ended = new AbortController();
  try {
    await system.start();
    const hurrying = run.isHurried ? hurry(system, ended.signal) : null;
    const reviving = run.isHurried && isFaulty ? revive(receivers, ended.signal) : null;
    const delivered = async () => {
      const [kills] = await Promise.all([killSender(system, run), sendAlerts(system, run)]);
      await allEnded(system, run, run.isHurried ? receivers.map(({ name }) => name) : ['good']);
      ended.abort();
      return kills;
    };
    const [kills] = await Promise.all([delivered(), hurrying, reviving]);
    return { verdicts: run.verdicts, kills, destinations: await figuresOf(system, receivers) };
  } finally {
    ended.abort();
    await system.close();
    await Promise.all(receivers.map((one) => one.close()));
  }
}

async function sendAlerts(system: FiveServices, { verdicts, perSecond }: DestinationsRun): Promise<void> {
  const startedAt = Date.now();
  const posts: Promise<unknown>[] = [];
  for (let i = 0; i < verdicts; i += 1) {
    await pause(Math.max(0, startedAt + (i * 1_000) / perSecond - Date.now()));
    posts.push(
      system.post('/v1/webhooks/alertmanager', { version: '4', status: 'firing', alerts: [alert(i)] }),
    );
  }
  await Promise.all(posts);
}

function alert(i: number): object {
  return {
    status: 'firing',
    labels: { alertname: 'CheckoutDown', instance: `n${i}`, severity: 'critical', service: 'checkout' },
    annotations: { summary: 'Checkout answers 34.8 % of requests with HTTP 502' },
    startsAt: '2026-01-05T10:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: `print-${i}`,
  };
}

// One kill in each equal part of the time in which alerts arrive, at a seeded moment of the part.
async function killSender(system: FiveServices, run: DestinationsRun): Promise<number> {
  const random = seededRandom(run.seed);
  const partMs = (run.verdicts * 1_000) / run.perSecond / Math.max(1, run.kills);
  const decision = system.service('decision');
  const startedAt = Date.now();
  for (let done = 0; done < run.kills; done += 1) {
    await pause(Math.max(0, startedAt + (done + random()) * partMs - Date.now()));
    await decision.signal('SIGKILL');
    run.say?.(`killed the decision service, ${done + 1} of ${run.kills}`);
    await pause(RESTART_AFTER_MS);
    await decision.start();
  }
  return run.kills;
}

async function hurry(system: FiveServices, ended: AbortSignal): Promise<void> {
  for (let before = Date.now(); !ended.aborted;) {
    await pause(TICK_MS);
    const now = Date.now();
    await system.store.database.rows(HURRY, [(now - before) * (FASTER - 1)]);
    before = now;
  }
}

async function revive(receivers: readonly FaultyReceiver[], signal: AbortSignal): Promise<void> {
  const dead = receivers.find(({ name }) => name === 'dead');
  if (dead === undefined) return;
  await pause(DEAD_FOR_MS, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) await dead.listen();
}

async function allEnded(
  system: FiveServices,
  run: DestinationsRun,
  destinations: readonly string[],
): Promise<void> {
  for (const until = Date.now() + run.settleMs; ; await pause(TICK_MS)) {
    const [now] = await system.store.database.rows<{ verdicts: number; ended: number }>(OPEN, [destinations]);
    if (now?.verdicts === run.verdicts && now.ended === run.verdicts * destinations.length) return;
    if (Date.now() > until) return run.say?.(`time is over: ${JSON.stringify(now)}`);
  }
}

async function figuresOf(system: FiveServices, receivers: readonly FaultyReceiver[]) {
  const { database } = system.store;
  const decided = await database.rows<{ runId: string }>('select run_id as "runId" from deliveries');
  const rows = await database.rows<{ id: string; destination: string; state: string; createdAt: Date }>(
    'select id, destination, state, created_at as "createdAt" from outbound_deliveries',
  );
  const createdAt = new Map(rows.map((row) => [row.id, new Date(row.createdAt).getTime()]));
  const countedFrom = Math.min(...createdAt.values()) + STARTING_MS;
  const figures: DestinationsResult['destinations'] = {};
  for (const { name, accepted, requests } of receivers) {
    const first = new Map<string, number>();
    const ids = new Map<string, Set<string>>();
    for (const { deliveryId, runId, at } of accepted) {
      ids.set(runId, (ids.get(runId) ?? new Set()).add(deliveryId));
      if (!first.has(deliveryId)) first.set(deliveryId, at);
    }
    const waits = [...first]
      .map(([id, at]) => ({ at, created: createdAt.get(id) ?? Number.NaN }))
      .filter(({ created }) => created >= countedFrom)
      .map(({ at, created }) => at - created)
      .sort((a, b) => a - b);
    const at = (share: number) => waits[Math.floor(share * (waits.length - 1))] ?? Number.NaN;
    figures[name] = {
      missing: decided.filter(({ runId }) => !ids.has(runId)).length,
      otherIds: [...ids.values()].filter(({ size }) => size > 1).length,
      repeats: accepted.length - first.size,
      requests: requests(),
      exhausted: rows.filter((row) => row.destination === name && row.state === 'exhausted').length,
      p50: at(0.5),
      p95: at(0.95),
    };
  }
  return figures;
}
