import { fileURLToPath } from 'node:url';
import { asCasefileError, DEMONSTRATION, type CaseList } from '@casefile/contracts';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import {
  endOnUncaught,
  launch,
  loadConfig,
  STOP_WITHIN_MS,
  wantsSimulator,
  withSimulatorAt,
  type Config,
} from '@casefile/runtime';
import { closeAtEnd, signalsEndWith } from '@casefile/runtime/process-end';
import { ConsoleClient, type ShownCase } from '../client/console-client.js';
import { IntakeClient } from '../client/intake-client.js';
import { demonstrate } from '../demonstration/demonstrate.js';
import { EXIT } from '../exit-code.js';
import type { Terminal } from '../output/terminal.js';
import type { DecidedCase } from '../output/verdict-line.js';
import { quietly } from '../quietly.js';
import { launchProcesses } from './launch-processes.js';
import { narrator, type Narrator } from './narrator.js';
import { readSamples, sampleOn, SAMPLES, submitSamples } from './samples.js';
import { SERVICES } from './services.js';
import { secondsUp, type System } from './system.js';
import { terminalLog } from './terminal-log.js';
import { VerdictFollower, type Outcome } from './verdict-follower.js';

export interface UpOptions {
  /** End as soon as the samples have their verdicts. */
  once: boolean;
  processes: boolean;
  /** Answer the samples with hand-written answers. */
  demo: boolean;
  /** true: submit samples to an empty record; `again`: at this start too. */
  samples: boolean | 'again';
  json: boolean;
}

/** Time limit for all verdicts that a start waits for. A busy machine takes minutes for them. */
const VERDICTS_WITHIN_MS = 300_000;

/** Refusals of requests without a sufficient access key. */
const NEEDS_KEY: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden']);

/** State of a running Casefile. */
interface Up {
  options: UpOptions;
  config: Config;
  system: System;
  client: ConsoleClient;
  say: Narrator;
  follower: VerdictFollower;
}

/**
 * Starts every service, submits the samples, and runs until a signal or, with `once`, until the verdicts
 * exist.
 */
export async function up(options: UpOptions, terminal: Terminal): Promise<number> {
  // The sample alerts come with their own tools. The user's configuration overrides the configuration of the
  // samples.
  const ofSamples = options.samples === false ? undefined : fileURLToPath(new URL('config.yaml', SAMPLES));
  const own = quietly(await loadConfig(undefined, ofSamples));
  const say = narrator(terminal, options.json);
  const demo = options.demo ? await demonstrate(own, (await readSamples()).alerts, SAMPLES) : null;
  const simulator = demo === null ? await startOwnSimulator(own) : null;
  const config = demo?.config ?? simulator?.config ?? own;
  say.starting(config);
  const system = options.processes
    ? await launchProcesses(config, terminal)
    : await launchHere(config, terminal);
  const over = new AbortController();
  const stop = async (): Promise<void> => {
    over.abort();
    await system.stop();
    await demo?.close();
    await simulator?.close();
  };
  const forget = closeAtEnd(async () => {
    say.stopping();
    await stop();
    say.stopped();
  }, system.stopWithinMs);
  // Without `--once` a signal is the normal end.
  if (!options.once) signalsEndWith(EXIT.ok);
  try {
    say.ready(config, system, secondsUp());
    void system.probes.all.then((probes) => over.signal.aborted || probes.forEach(say.probed));
    const client = new ConsoleClient(system.consoleUrl);
    const follower = new VerdictFollower(client, say, over.signal);
    const code = await showVerdicts({ options, config, system, client, say, follower });
    if (options.once) return code ?? EXIT.failed;
    if (code !== null) say.staysUp();
    // A signal ends the process.
    return await new Promise<never>(() => undefined);
  } finally {
    forget();
    await stop();
  }
}

/**
 * Follows verdicts and shows the samples. Returns the exit code; null: this installation requires an access key
 * that this program does not have. The services run without it.
 */
async function showVerdicts(at: Up): Promise<number | null> {
  try {
    await at.follower.start();
    return await showSamples(at);
  } catch (thrown) {
    const { reasonCode, message } = asCasefileError(thrown);
    if (!NEEDS_KEY.has(reasonCode)) throw thrown;
    at.say.lost(`${message} Set CASEFILE_KEY to print verdicts and to submit samples.`);
    return null;
  }
}

/**
 * Submits the samples or shows their earlier verdicts, as record and options require, and waits for verdicts.
 * Returns the exit code.
 */
async function showSamples(at: Up): Promise<number> {
  const { client, config, options, say } = at;
  const isEmpty = (await client.get('/cases', { query: { limit: 1 } })).cases.length === 0;
  const wantsSamples = config.samples && options.samples !== false;
  // Verdicts on samples leave like others, and one of them pages the person on call.
  const leaves = config.destinations.length > 0 && options.samples !== 'again';
  if (isEmpty && wantsSamples && leaves) {
    say.note(
      '\nNo samples were submitted, because destinations are configured. To submit them: --samples again',
    );
    return EXIT.ok;
  }
  if (isEmpty) return wantsSamples ? submitAndWait(at, 'first') : EXIT.ok;
  if (options.samples === 'again') return submitAndWait(at, 'again');
  const sample = options.demo || options.once ? await sampleOn(client) : null;
  // Only the samples show whether the record was created with --demo.
  const hasOtherMode = sample === null ? options.samples !== false : !wasPlayed(sample);
  if (options.demo && hasOtherMode) say.note(startOver(config));
  if (!options.once) return EXIT.ok;
  if (wantsSamples && sample !== null) return submitAndWait(at, 'shown');
  return waitForOpenRuns(at);
}

function wasPlayed(sample: ShownCase): boolean {
  return sample.runs.some(({ settings }) => settings.provider === DEMONSTRATION);
}

function startOver({ databaseUrl }: Config): string {
  const how =
    databaseUrl === null
      ? 'give it a record of its own: CASEFILE_DATA=.casefile-demo npm start -- --demo'
      : 'set DATABASE_URL to an empty database';
  return `\nThis record was started without --demo, and its verdicts stay as they are. To see the demonstration, ${how}`;
}

/**
 * @param how `first`: import the samples' knowledge and submit them; `shown`: show earlier verdicts; `again`:
 * judge again.
 */
async function submitAndWait(
  { system, say, follower }: Up,
  how: 'first' | 'shown' | 'again',
): Promise<number> {
  const { alerts, lookedUp } = await readSamples();
  if (how === 'shown') {
    say.note('The samples were judged before. Their verdicts:');
  } else {
    await system.seed(lookedUp);
    say.submitting(alerts.length);
  }
  const runs = await submitSamples(new IntakeClient(system.ingestUrl), alerts, how === 'again');
  return judge(say, runs.length, await follower.outcomes(runs, VERDICTS_WITHIN_MS));
}

async function waitForOpenRuns({ client, say, follower }: Up): Promise<number> {
  const runs = await openRuns(client);
  if (runs.length === 0) {
    say.note('The record holds other alerts, and every one of them has its verdict.');
    return EXIT.ok;
  }
  say.note(`The record holds other alerts; ${runs.length} have no verdict yet:`);
  return judge(say, runs.length, await follower.outcomes(runs, VERDICTS_WITHIN_MS));
}

function judge(say: Narrator, runCount: number, outcomes: Outcome[]): number {
  const decided = outcomes.filter((outcome): outcome is DecidedCase => !('without' in outcome));
  for (const outcome of outcomes) {
    if ('without' in outcome) say.note(`case ${outcome.caseId} ended without a verdict: ${outcome.without}`);
  }
  say.verdictsDone(decided, secondsUp());
  if (decided.length === runCount) return EXIT.ok;
  say.note(`${runCount - decided.length} of ${runCount} have no verdict.`);
  return EXIT.failed;
}

const PAGE = 200;

/** Returns the newest runs of undecided cases. */
async function openRuns(client: ConsoleClient): Promise<{ caseId: string; runId: string }[]> {
  const open: { caseId: string; runId: string }[] = [];
  let cursor: string | null = null;
  do {
    const query = { status: 'open', limit: PAGE, cursor: cursor ?? undefined };
    const page: CaseList = await client.get('/cases', { query });
    open.push(...page.cases.flatMap(({ caseId, runId }) => (runId === null ? [] : [{ caseId, runId }])));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return open;
}

interface OwnSimulator {
  /** Configuration whose provider `simulator` is the one that was started here. */
  config: Config;
  close(): Promise<void>;
}

/**
 * Starts the simulator in this process on a free port, if the configuration uses the simulator without naming
 * a running one (LLM_BASE_URL). Otherwise returns null.
 */
async function startOwnSimulator(config: Config): Promise<OwnSimulator | null> {
  if (!wantsSimulator(config)) return null;
  const simulator = await startSimulator();
  return { config: withSimulatorAt(config, simulator.baseUrl), close: () => simulator.close() };
}

/** Starts every service in this process. @throws CasefileError `port_in_use`. */
async function launchHere(config: Config, terminal: Terminal): Promise<System> {
  const running = await launch([...SERVICES], config, { databaseLog: terminalLog(terminal) });
  endOnUncaught(running.platform.log);
  const urlOf = (name: string): string =>
    running.services.find((service) => service.name === name)?.url ?? '';
  return {
    consoleUrl: urlOf('console'),
    ingestUrl: urlOf('ingest'),
    probes: running.probes,
    seed: (seed) => running.platform.knowledge.seed(seed),
    stopWithinMs: STOP_WITHIN_MS,
    stop: () => running.stop(),
  };
}
