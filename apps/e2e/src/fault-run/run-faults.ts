import { readFileSync } from 'node:fs';
import type { ServiceName } from '@casefile/runtime';
import { FIVE_SERVICES, fiveServices } from '../testing/five-services.js';
import { PATIENT_OF_RESTARTS } from '../testing/patient-settings.js';
import type { ServiceProcess } from '../testing/service-processes.js';
import { countRecord, pendingCalls, takeOvers, type RecordCounts } from './count-record.js';
import { rollOut, type Rollout } from './roll-out.js';
import { seededRandom } from '@casefile/contracts';

export interface FaultRunOptions {
  databaseUrl: string;
  queueUrl: string;
  seed: number;
  cases: number;
  kills: number;
  killEveryMs: number;
  /** Whether the first kill ends the reasoner during a call of the model, whatever the seed. Default: false. */
  firstKillIsInCall?: boolean;
  /**
   * Number of rollouts after the kills. Each stops all services in order, with hostile clients connected, and
   * starts them.
   */
  rollouts?: number;
  /** Duration of a model answer. */
  modelMs: number;
  /** Empties the queue store after this many kills. */
  emptyQueueAfter?: number;
  emptyQueue?: () => Promise<void>;
  /** Time limit for accepting an alert, and for ending all cases after the last kill or rollout. */
  settleMs: number;
  /** `one process`: one process hosts all services, and each kill ends them all. Default: a process each. */
  layout?: 'one process';
  /** Options of Node for the services. Default: none. */
  execArgv?: string[];
  say?: (line: string) => void;
  /** If aborted, the run ends. Its processes are gone when it rejects. */
  ended?: AbortSignal;
}

export interface FaultRunResult extends RecordCounts {
  kills: Record<string, number>;
  /** Calls that the provider received, and how many of them were more than one per step. */
  calls: number;
  extraCalls: number;
  /**
   * Calls without a recorded answer when their process was killed. It is unknown whether the provider
   * answered them.
   */
  underWayAtKills: number;
  rollouts: Rollout[];
  /** Times from a kill until each call that it interrupted was made again, in milliseconds. */
  takeOversMs: number[];
  /** Jobs that another worker continued after their worker died. */
  stalled: number;
  logFile: string;
}

/**
 * A dead worker's call is repeated later than the playbook's own limit of 5 s allows: with that limit the
 * interrupted call would become a fallback instead of a second call. A probe of the provider at start would
 * count as a further call.
 */
const SETTINGS = { ...PATIENT_OF_RESTARTS, calls: { probeAtStart: false } };
const RESTART_AFTER_MS = 300;
/** The alerts of a rollout begin this long before it, and come in for twice this time. */
const LOAD_BEFORE_ROLLOUT_MS = 1_500;
/** Log line of a worker that continues a stalled job. */
const TAKEOVER_LINE = "took over a dead worker's job";

/** Starts real processes, kills them in a seeded order, and counts records and paid calls afterwards. */
export async function runFaults(options: FaultRunOptions): Promise<FaultRunResult> {
  const say = options.say ?? (() => undefined);
  const { databaseUrl, queueUrl } = options;
  // The console has event streams, which a rollout must end.
  const others: ServiceName[] = (options.rollouts ?? 0) > 0 ? ['ingest', 'console'] : ['ingest'];
  const system = await fiveServices({
    script: { delayMs: options.modelMs },
    settings: SETTINGS,
    services: options.layout ?? [...FIVE_SERVICES, ...others],
    databaseUrl,
    queueUrl,
    execArgv: options.execArgv ?? [],
  });
  const { services, simulator, logFile } = system;
  try {
    const { kills, killedAt, underWay, rollouts } = await untilAborted(
      work(services, options, say),
      options.ended,
    );
    const counts = await countRecord(databaseUrl);
    const { total, byStep } = simulator.calls();
    const extraCalls = total - Object.keys(byStep).length;
    const stalled = readFileSync(logFile, 'utf8').split(TAKEOVER_LINE).length - 1;
    const calls = { calls: total, extraCalls, underWayAtKills: underWay.size };
    const takeOversMs = await takeOvers(databaseUrl, killedAt);
    return { ...counts, kills, ...calls, rollouts, takeOversMs, stalled, logFile };
  } finally {
    await system.close();
  }
}

async function work(services: ServiceProcess[], options: FaultRunOptions, say: (line: string) => void) {
  await Promise.all(services.map((service) => service.start()));
  say(`${services.length} processes are up`);
  const ingests = services.filter((service) => service.name === 'ingest');
  const rolloutGates = gates(options.rollouts ?? 0);
  const faults = async () => {
    const killed = await killAround(services, options, say);
    return { ...killed, rollouts: await rollOutAll(services, rolloutGates, say) };
  };
  const [, result] = await Promise.all([submitAll(ingests, options, rolloutGates), faults()]);
  await allDecided(options, say);
  return result;
}

async function rollOutAll(
  services: ServiceProcess[],
  gatesToOpen: Gate[],
  say: (line: string) => void,
): Promise<Rollout[]> {
  const rollouts: Rollout[] = [];
  for (const gate of gatesToOpen) {
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

/**
 * Senders retry until they get 202. The key makes repeats harmless. Each rollout gets its share of the
 * alerts.
 */
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
  const killedAt: number[] = [];
  for (let n = 1; n <= options.kills; n += 1) {
    await pause(options.killEveryMs);
    const isInCall = n === 1 && options.firstKillIsInCall === true;
    if (isInCall) await untilCalling(options);
    const victim = pick(services, random, isInCall ? ['reasoner'] : FIVE_SERVICES);
    await victim.signal('SIGKILL');
    killedAt.push(Date.now());
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
  return { kills, killedAt, underWay };
}

async function untilCalling({ databaseUrl, settleMs }: FaultRunOptions): Promise<void> {
  for (const until = Date.now() + settleMs; Date.now() < until; await pause(50))
    if ((await pendingCalls(databaseUrl)).length > 0) return;
}

// Chooses a service first and then one of its processes, so each service is equally likely.
function pick(
  services: ServiceProcess[],
  random: () => number,
  names: readonly ServiceName[],
): ServiceProcess {
  const name = names[Math.floor(random() * names.length)];
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
