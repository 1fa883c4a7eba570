import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@casefile/runtime';
import { serviceProcesses, type ProcessSettings, type ServiceProcess } from '../testing/service-processes.js';
import { countRecord, type RecordCounts } from './count-record.js';

/** Services in the order in which they are replaced. */
const SERVICES: readonly ServiceName[] = [
  'decision',
  'critic-writer',
  'reasoner',
  'evidence-collector',
  'ingest',
  'console',
];
/** Alerts per request. */
const AT_ONCE = 50;
/** A process that takes longer to stop is killed. Kubernetes kills it after 30 s; a busy machine gets more time. */
const KILL_AFTER_MS = 60_000;

export interface RollOptions {
  /** Settings of the services. `root` is left out. */
  settings: Omit<ProcessSettings, 'root'>;
  /** Folder of the version that runs first, and of the other one. */
  versions: readonly [string, string];
  /** Runs in flight at the begin of each upgrade. */
  runs: number;
  settleMs: number;
  say(line: string): void;
}

/** Counts after an upgrade of all services. */
export interface RollFigures {
  /** Accepted, and without a verdict when the first service was replaced. */
  inFlight: number;
  /** Without a verdict when the last service was replaced. */
  inFlightAtEnd: number;
  accepted: number;
  decided: number;
  stuck: number;
  quarantined: number;
  /** Steps with more than one recorded answer. */
  paidTwice: number;
  /** Runs with more than one verdict. */
  verdictsTwice: number;
  /** Processes whose stop failed. */
  failed: number;
  seconds: number;
}

/**
 * Starts all services in the first version, and replaces them one after another by the other version and back,
 * each time with runs in flight. A new process is ready before the old one is stopped, as in a rolling upgrade.
 */
export async function rollVersions(options: RollOptions): Promise<RollFigures[]> {
  const [first, other] = options.versions;
  const running = new Map<ServiceName, ServiceProcess>();
  const start = async (name: ServiceName, root: string): Promise<ServiceProcess> => {
    const [next] = await serviceProcesses([name], { ...options.settings, root });
    if (next === undefined) throw new Error(`there is no process of ${name}`);
    started.push(next);
    await next.start();
    return next;
  };
  const started: ServiceProcess[] = [];
  try {
    // Together: ingest is ready when a reasoner has published the installation.
    await Promise.all(SERVICES.map(async (name) => running.set(name, await start(name, first))));
    options.say(`${SERVICES.length} services run in the first version`);
    const there = await upgrade(options, 'there', running, (name) => start(name, other));
    const back = await upgrade(options, 'back', running, (name) => start(name, first));
    return [there, back];
  } finally {
    await Promise.all(started.map((one) => one.end()));
  }
}

async function upgrade(
  { settings: { databaseUrl }, runs, settleMs, say }: RollOptions,
  name: string,
  running: Map<ServiceName, ServiceProcess>,
  start: (service: ServiceName) => Promise<ServiceProcess>,
): Promise<RollFigures> {
  const before = await countRecord(databaseUrl);
  const ingest = running.get('ingest');
  if (ingest === undefined) throw new Error('ingest does not run');
  for (let from = 0; from < runs; from += AT_ONCE)
    await submit(ingest.url, name, from, Math.min(runs, from + AT_ONCE));
  const inFlight = (await countRecord(databaseUrl)).unfinished;
  say(`${name}: ${inFlight} runs in flight`);
  const began = performance.now();
  let failed = 0;
  for (const service of SERVICES) {
    const next = await start(service);
    const failure = await running.get(service)?.stopFailure(KILL_AFTER_MS);
    if (failure !== null) failed += 1;
    running.set(service, next);
    say(`${name}: ${service} replaced after ${Math.round((performance.now() - began) / 1000)} s`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const inFlightAtEnd = (await countRecord(databaseUrl)).unfinished;
  const counts = await settled(databaseUrl, settleMs);
  const since = (key: 'cases' | 'decided' | 'quarantined'): number => counts[key] - before[key];
  return {
    inFlight,
    inFlightAtEnd,
    accepted: since('cases'),
    decided: since('decided'),
    stuck: counts.unfinished,
    quarantined: since('quarantined'),
    paidTwice: counts.answeredTwice,
    verdictsTwice: counts.verdictsTwice,
    failed,
    seconds,
  };
}

async function submit(url: string, name: string, from: number, until: number): Promise<void> {
  const alerts = Array.from({ length: until - from }, (_, i) => ({
    playbook: 'scam-verdict',
    text: `Case ${name} ${from + i}: your account is blocked, pay at http://case-${name}-${from + i}.example now`,
    source: 'roll-versions',
    collect: false,
  }));
  const response = await fetch(`${url}/v1/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alerts),
  });
  if (response.status !== 202)
    throw new Error(`intake answered ${response.status}: ${await response.text()}`);
}

async function settled(databaseUrl: string, withinMs: number): Promise<RecordCounts> {
  for (const until = Date.now() + withinMs; ; await pause(500)) {
    const counts = await countRecord(databaseUrl);
    if ((counts.unfinished === 0 && counts.deliveriesOpen === 0) || Date.now() > until) return counts;
  }
}
