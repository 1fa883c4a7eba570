import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, type EvolutionEntry, type ShownEvolution } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import type { EvolutionState } from '@casefile/pipeline';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { pendingCalls } from '../fault-run/count-record.js';
import { OneProcess } from '../testing/one-process.js';
import { PATIENT_OF_RESTARTS } from '../testing/patient-settings.js';
import { rowsIn } from '../testing/run-casefile.js';
import { until } from '@casefile/contracts/testing';
import { ended } from '../testing/world.js';
import {
  ENDS_WITHIN_MS,
  evolvingSimulator,
  HIDDEN,
  labelledCases,
  PRICED,
  PROMPT,
} from './evolving-world.js';

export interface KillEvolutionOptions {
  databaseUrl: string;
  queueUrl: string;
  cases: number;
  kills: number;
  /** Seed of the moments. */
  seed: number;
  /** Time that the simulated model takes for one answer. */
  modelMs: number;
  /** Useless sentences that reflections propose before the useful one, at most 6. */
  useless: number;
  say?(line: string): void;
}

export interface KilledEvolution {
  /** Kills in this evolution. */
  kills: number;
  /** Texts and evaluations of the evolution, and of the undisturbed one. */
  texts: number;
  evaluations: number;
  /** Whether texts, parents, states, scores and the report equal those of the undisturbed evolution. */
  isSame: boolean;
}

export interface KillEvolutionFigures {
  /** One per evolution with kills. A further one is started if one ends before all kills were made. */
  evolutions: KilledEvolution[];
  kills: number;
  /** Calls that the simulator received for the evolutions with kills, and the calls on the record. */
  calls: number;
  recorded: number;
  /** Steps with a recorded answer when the process was killed that were called again, or have two answers (expected: 0). */
  paidTwice: number;
  /** Steps that the simulator received more often than the record has calls (expected: 0). */
  unrecorded: number;
  /** Calls on the record without an end right after a kill, and those of them that are now `ambiguous`. */
  inFlight: number;
  ambiguous: number;
  /** Calls that are `ambiguous` but were not in flight at a kill (expected: 0). */
  otherAmbiguous: number;
  seconds: number;
}

const USELESS = [
  'Weigh the length of a note.',
  'Read each note twice.',
  'Count the words of a note.',
  'Think about the day of the week.',
  'Compare the note with a typical one.',
  'Consider the tone of a note.',
];
const MOST_EVALUATIONS = 400;
/** Longest wait until the next kill, in calls and then in milliseconds. */
const CALLS_BETWEEN = 6;
const MS_BETWEEN = 900;

const STEP = `x.run_id || '/' || x.unit || '/' || x.stage || '/' || x.round || '/' || x.step`;
const OWN = `from llm_interactions x join runs r on r.id = x.run_id
  where r.settings ->> 'batch' is not null and x.read_from is null`;

/**
 * Runs an evolution without a disturbance, and then the same one while the process that drives it, which also asks the
 * model, is killed with -9 at seeded moments and started again.
 */
export async function killEvolution(options: KillEvolutionOptions): Promise<KillEvolutionFigures> {
  const { databaseUrl, queueUrl, say = () => undefined } = options;
  const folder = temporaryFolder('evolution');
  const config = join(folder, 'config.yaml');
  // A call that several kills interrupt is no fault of its case.
  const lease = { maxCrashes: 1_000 };
  writeFileSync(config, JSON.stringify({ ...PATIENT_OF_RESTARTS, ...PRICED, lease }));
  const simulator = await evolvingSimulator([...USELESS.slice(0, options.useless), HIDDEN], {
    delayMs: options.modelMs,
  });
  const store = createPostgresStore({ databaseUrl, poolSize: 2 });
  const casefile = await OneProcess.prepare(folder, {
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_CONFIG: config,
    CASEFILE_DATA: folder,
  });
  const world: World = { casefile, simulator, store, databaseUrl, say };
  try {
    await casefile.start();
    await labelled(world, options.cases);
    const whole = await done(world, await started(world));
    say(`undisturbed: ${summary(whole)}`);
    const first = simulator.calls().byStep;
    const began = performance.now();
    const kills = new Kills(world, options);
    const evolutions: KilledEvolution[] = [];
    while (kills.left > 0) {
      const [id, before] = [await started(world), kills.left];
      await kills.during(id);
      const end = await done(world, id);
      const isSame = JSON.stringify(lineage(end)) === JSON.stringify(lineage(whole));
      say(`with ${before - kills.left} kills: ${summary(end)}${isSame ? '' : ', which differs'}`);
      const { candidates, evaluations } = stateOf(end);
      evolutions.push({ kills: before - kills.left, texts: candidates.length, evaluations, isSame });
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    return { evolutions, kills: options.kills, ...(await kills.figures(first)), seconds };
  } finally {
    await casefile.kill();
    await Promise.all([store.close(), simulator.close()]);
  }
}

interface World {
  casefile: OneProcess;
  simulator: Simulator;
  store: PostgresStore;
  databaseUrl: string;
  say(line: string): void;
}

/** Kills at seeded moments, and what was on the record at each. */
class Kills {
  private count = 0;
  private readonly random: () => number;
  private readonly inFlight = new Set<string>();
  /** Answered steps at a kill, with the calls that the simulator had received for each. */
  private readonly answered = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly options: KillEvolutionOptions,
  ) {
    this.random = seededRandom(options.seed);
  }

  get left(): number {
    return this.options.kills - this.count;
  }

  /** Kills and restarts until the evolution has ended or no kill is left. */
  async during(id: string): Promise<void> {
    const { casefile, simulator, store, databaseUrl, say } = this.world;
    const isRunning = async () => (await store.evolutions.get(id))?.state === 'running';
    while (this.left > 0) {
      const [calls, ms] = [Math.floor(this.random() * CALLS_BETWEEN), this.random() * MS_BETWEEN];
      const from = simulator.calls().total;
      await until(
        'enough calls',
        async () => simulator.calls().total >= from + calls || !(await isRunning()),
      );
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (!(await isRunning())) return;
      await casefile.kill();
      this.count += 1;
      const pending = await pendingCalls(databaseUrl);
      for (const call of pending) this.inFlight.add(call);
      const { byStep } = simulator.calls();
      for (const step of await answeredSteps(databaseUrl, id)) this.answered.set(step, byStep[step] ?? 0);
      say(`kill ${this.count}: ${pending.length} calls in flight, ${this.answered.size} answered`);
      await casefile.start();
    }
  }

  /** @param before Calls per step before the first kill, which do not count. */
  async figures(before: Readonly<Record<string, number>>) {
    const { simulator, databaseUrl } = this.world;
    const { byStep } = simulator.calls();
    const rows = (await rowsIn(
      databaseUrl,
      `select ${STEP} as step, count(*)::int as n, count(*) filter (where x.state = 'completed')::int as answers ${OWN} group by 1`,
    )) as { step: string; n: number; answers: number }[];
    const own = rows.filter(({ step }) => !Object.hasOwn(before, step));
    const again = [...this.answered].filter(([step, calls]) => (byStep[step] ?? 0) > calls);
    const twice = own.filter(({ answers }) => answers > 1);
    const marked = (
      await rowsIn(databaseUrl, `select x.id::text as id ${OWN} and x.state = 'ambiguous'`)
    ).map(({ id }) => String(id));
    return {
      calls: own.reduce((sum, { step }) => sum + (byStep[step] ?? 0), 0),
      recorded: own.reduce((sum, { n }) => sum + n, 0),
      paidTwice: new Set([...again.map(([step]) => step), ...twice.map(({ step }) => step)]).size,
      unrecorded: own.filter(({ step, n }) => (byStep[step] ?? 0) > n).length,
      inFlight: this.inFlight.size,
      ambiguous: marked.filter((id) => this.inFlight.has(id)).length,
      otherAmbiguous: marked.filter((id) => !this.inFlight.has(id)).length,
    };
  }
}

/** Returns the steps of an evolution that have a recorded answer. */
async function answeredSteps(databaseUrl: string, id: string): Promise<string[]> {
  const rows = await rowsIn(
    databaseUrl,
    `select distinct ${STEP} as step ${OWN} and x.state = 'completed' and r.settings ->> 'batch' = '${id}'`,
  );
  return rows.map(({ step }) => String(step));
}

async function labelled({ casefile, store }: World, count: number): Promise<void> {
  await labelledCases(
    {
      accept: (alert) => post(`${casefile.ingestUrl}/v1/alerts`, alert),
      ended: async (ids) => {
        for (const id of ids) await ended({ store }, id);
      },
      platform: { store },
    },
    count,
  );
}

/** Starts an evolution by the API, once the process has published its prompts. Returns its id. */
async function started({ casefile, store }: World): Promise<string> {
  await until('a prompt is live', async () =>
    (await store.promptVersions.list(PROMPT)).some(({ state }) => state === 'live'),
  );
  const { playbook, name: prompt } = PROMPT;
  const ask = { playbook, prompt, budgetUsd: 50, evaluations: MOST_EVALUATIONS, by: 'ann' };
  return (await post<ShownEvolution>(`${casefile.consoleUrl}/api/v1/evolutions`, ask)).id;
}

async function done({ store }: World, id: string): Promise<EvolutionEntry> {
  let evolution: EvolutionEntry | null = null;
  const hasEnded = async () => {
    evolution = await store.evolutions.get(id);
    return evolution !== null && evolution.state !== 'running';
  };
  await until('the evolution has ended', hasEnded, 20, 2 * ENDS_WITHIN_MS);
  return evolution!;
}

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

const stateOf = ({ progress }: EvolutionEntry) => progress as unknown as EvolutionState;
/** The state with all texts, parents and scores, and the report. */
const lineage = ({ progress, report, state }: EvolutionEntry) => ({ state, progress, report });

function summary(entry: EvolutionEntry): string {
  const { candidates, evaluations } = stateOf(entry);
  const result = String(entry.report?.['result'] ?? entry.state);
  return `${candidates.length} texts, ${evaluations} evaluations, ${result}`;
}
