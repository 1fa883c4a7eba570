import { readFileSync } from 'node:fs';
import type { ServiceName } from '@casefile/runtime';
import { FIVE_SERVICES, fiveServices } from '../testing/five-services.js';
import { PATIENT } from '../testing/patient-settings.js';
import type { ServiceProcess } from '../testing/service-processes.js';
import { countRecord, pendingCalls, type RecordCounts } from './count-record.js';
import { rollOut, type Rollout } from './roll-out.js';
import { seededRandom } from '@casefile/contracts';

export interface FaultRunOptions {
  databaseUrl: string;
  queueUrl: string;
  seed: number;
  cases: number;
  kills: number;
  killEveryMs: number;
  /** After the kills: how often all services are stopped in order, with hostile clients connected, and started again. */
  rollouts?: number;
  /** How long the model takes for one answer. */
  modelMs: number;
  /** Empties the queue store after this many kills. */
  emptyQueueAfter?: number;
  emptyQueue?: () => Promise<void>;
  /** How long an alert may take to be accepted, and all of them to be done from the last kill or rollout on. */
  settleMs: number;
  say?: (line: string) => void;
  /** Aborted: the run is given up, and its processes are gone when it rejects. */
  ended?: AbortSignal;
}

export interface FaultRunResult extends RecordCounts {
  kills: Record<string, number>;
  /** Calls the provider got, and how many of them were more than one a step. */
  calls: number;
  extraCalls: number;
  /** Calls without an answer on the record when their process was killed: whether the provider answered is unknown. */
  underWayAtKills: number;
  rollouts: Rollout[];
  /** Jobs that were taken over from a worker that was gone. */
  stalled: number;
  logFile: string;
}

/**
 * A take-over is later than the playbook's own 5 s: with those an interrupted call would become a fallback, not a second call.
 * A provider that is asked at a start whether it answers would count as one more call.
 */
const SETTINGS = { ...PATIENT, calls: { probeAtStart: false } };
const RESTART_AFTER_MS = 300;
/** A rollout's alerts come in from so long before it on, for twice as long. */
const LOAD_BEFORE_ROLLOUT_MS = 1_500;
/** What a worker logs of a job that stalled. */
const TAKEN_OVER = "took over a dead worker's job";

/** Real processes, a seeded killer, and a count of what is on the record and what was paid afterwards. */
export async function runFaults(options: FaultRunOptions): Promise<FaultRunResult> {
  const say = options.say ?? (() => undefined);
  const { databaseUrl, queueUrl } = options;
  // The console for the event stream that a rollout has to end.
  const others: ServiceName[] = (options.rollouts ?? 0) > 0 ? ['ingest', 'console'] : ['ingest'];
  const system = await fiveServices({
    script: { delayMs: options.modelMs },
    settings: SETTINGS,
    services: [...FIVE_SERVICES, ...others],
    databaseUrl,
    queueUrl,
  });
  const { services, simulator, logFile } = system;
  try {
    const { kills, underWay, rollouts } = await untilAborted(work(services, options, say), options.ended);
    const counts = await countRecord(databaseUrl);
    const { total, byStep } = simulator.calls();
    const extraCalls = total - Object.keys(byStep).length;
    const stalled = readFileSync(logFile, 'utf8').split(TAKEN_OVER).length - 1;
    const calls = { calls: total, extraCalls, underWayAtKills: underWay.size };
    return { ...counts, kills, ...calls, rollouts, stalled, logFile };
  } finally {
    await system.close();
  }
}

async function work(services: ServiceProcess[], options: FaultRunOptions, say: (line: string) => void) {
  await Promise.all(services.map((service) => service.start()));
  say(`${services.length} processes are up`);
  const ingests = services.filter((service) => service.name === 'ingest');
  const begun = gates(options.rollouts ?? 0);
  const faults = async () => {
    const killed = await killAround(services, options, say);
    return { ...killed, rollouts: await rollOutAll(services, begun, say) };
  };
  const [, result] = await Promise.all([submitAll(ingests, options, begun), faults()]);
  await allDecided(options, say);
  return result;
}

async function rollOutAll(
  services: ServiceProcess[],
  begun: Gate[],
  say: (line: string) => void,
): Promise<Rollout[]> {
  const rollouts: Rollout[] = [];
  for (const gate of begun) {
    gate.open();
    await pause(LOAD_BEFORE_ROLLOUT_MS);
    const rollout = await rollOut(services);
    rollouts.push(rollout);
    say(
      `rollout ${rollouts.length}: ${rollout.ms} ms, ${rollout.last} was last ${rollout.failed.join(', ')}`,
    );
  }
  return rollouts;
}

interface Gate {
  opened: Promise<void>;
  open(): void;
}

function gates(count: number): Gate[] {
  return Array.from({ length: count }, () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open };
  });
}

/** Senders try again until they have their 202; the key makes the repeats harmless. Each rollout has its share of them. */
async function submitAll(
  ingests: ServiceProcess[],
  options: FaultRunOptions,
  rollouts: Gate[],
): Promise<void> {
  const random = seededRandom(options.seed + 1);
  const killsMs = options.kills * options.killEveryMs * 0.8;
  await Promise.all(
    Array.from({ length: options.cases }, async (_, i) => {
      const rollout = rollouts[Math.floor((i * rollouts.length) / options.cases)];
      const delayMs = random() * (rollout === undefined ? killsMs : 2 * LOAD_BEFORE_ROLLOUT_MS);
      await rollout?.opened;
      await pause(delayMs);
      const until = Date.now() + options.settleMs;
      while (Date.now() < until) {
        const ingest = ingests[Math.floor(random() * ingests.length)];
        if (ingest !== undefined && (await submit(ingest.url, i))) return;
        await pause(200);
      }
      throw new Error(`alert ${i} was not accepted in time`);
    }),
  );
}

async function submit(url: string, i: number): Promise<boolean> {
  const body = {
    playbook: 'scam-verdict',
    text: `Case ${i}: your account is blocked, call +1 555 010 ${1000 + i} now`,
    source: 'fault-run',
  };
  const headers = { 'content-type': 'application/json', 'idempotency-key': `fault-run-${i}` };
  const answer = await fetch(`${url}/v1/alerts`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  }).catch(() => null);
  return answer?.status === 202;
}

async function killAround(services: ServiceProcess[], options: FaultRunOptions, say: (line: string) => void) {
  const random = seededRandom(options.seed);
  const kills: Record<string, number> = {};
  const underWay = new Set<string>();
  for (let n = 1; n <= options.kills; n += 1) {
    await pause(options.killEveryMs);
    const victim = pick(services, random);
    await victim.signal('SIGKILL');
    if (victim.name === 'reasoner')
      for (const id of await pendingCalls(options.databaseUrl)) underWay.add(id);
    kills[victim.name] = (kills[victim.name] ?? 0) + 1;
    say(`kill ${n}: ${victim.name}`);
    await pause(RESTART_AFTER_MS);
    victim.spawn();
    if (n === options.emptyQueueAfter && options.emptyQueue !== undefined) {
      await options.emptyQueue();
      say('the queue store was emptied');
    }
  }
  return { kills, underWay };
}

// A service first, then one of its processes: each service is as likely as another.
function pick(services: ServiceProcess[], random: () => number): ServiceProcess {
  const name = FIVE_SERVICES[Math.floor(random() * FIVE_SERVICES.length)];
  const processes = services.filter((service) => service.name === name);
  const victim = processes[Math.floor(random() * processes.length)];
  if (victim === undefined) throw new Error('no process is left to kill');
  return victim;
}

async function allDecided(options: FaultRunOptions, say: (line: string) => void): Promise<void> {
  const until = Date.now() + options.settleMs;
  for (;;) {
    const { cases, decided, quarantined, deliveriesOpen } = await countRecord(options.databaseUrl);
    if (cases === options.cases && decided + quarantined === cases && deliveriesOpen === 0) return;
    if (Date.now() > until) return say(`time is over with ${decided} of ${cases} decided`);
    await pause(250);
  }
}

function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('ended'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
