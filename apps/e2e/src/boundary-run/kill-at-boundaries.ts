import pg from 'pg';
import { startSimulator, type Simulator, type SimulatorOptions } from '@casefile/llm-simulator/simulator';
import type { CaseStore } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { createPostgresStore } from '@casefile/store';
import { OneProcess } from '../testing/one-process.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

/** Cases of one kind that are submitted one after another, and the model that answers for them. */
export interface ScriptedCases {
  answer: SimulatorOptions['answer'];
  /** Writes a configuration. @returns its file, and a reader of the calls of outside tools so far. */
  configured(folder: string, handOn: 'queue' | 'direct'): { config: string; callsMade(): string[] };
  /** Prepares the record before the first case. Default: nothing. */
  prepare?(store: CaseStore): Promise<void>;
  /** Returns the path and the body of the post of case `n`, and reads the id of its run from the response. */
  post(n: number): { path: string; body: object };
  runIdIn(answer: unknown): string | undefined;
}

export interface BoundaryRunOptions {
  script: ScriptedCases;
  databaseUrl: string;
  queueUrl: string;
  handOn: 'queue' | 'direct';
  /**
   * Number of cases. They run one after another. Each is killed once, at the next boundary; after the last
   * boundary the first one follows.
   */
  cases: number;
  /** Every `step`-th boundary is tested. */
  step: number;
  /** Options of Node for the services. Default: none. */
  execArgv?: string[];
  say(line: string): void;
}

export interface BoundaryRunResult {
  /** Commits of one case, counted by their events. */
  boundaries: number;
  killed: number;
  decided: number;
  /** Recorded answers that were requested again after the kill. */
  paidAgain: number;
  /** Steps with a recorded answer at the kills. */
  answeredAtKills: number;
  /** Recorded tool results that were requested again after the kill. */
  calledAgain: number;
  /** Cases whose verdict differs from that of the case without a kill. */
  otherVerdicts: number;
}

/** Runs cases one after another. All services are killed with -9 at each boundary of a case. */
export async function killAtBoundaries(options: BoundaryRunOptions): Promise<BoundaryRunResult> {
  const folder = temporaryFolder('boundaries');
  const { script } = options;
  const { config, callsMade } = script.configured(folder, options.handOn);
  const simulator = await startSimulator({ answer: script.answer });
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  const store = createPostgresStore({ databaseUrl: options.databaseUrl, poolSize: 1 });
  const casefile = await OneProcess.prepare(
    folder,
    {
      DATABASE_URL: options.databaseUrl,
      QUEUE_URL: options.queueUrl,
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: simulator.baseUrl,
      CASEFILE_CONFIG: config,
      CASEFILE_DATA: folder,
    },
    options.execArgv,
  );
  const world: World = { casefile, script, record: new Record(client), simulator, callsMade };
  try {
    await casefile.start();
    await script.prepare?.(store);
    const whole = await world.record.after(await take(world, 0));
    const result = { boundaries: whole.events.length, killed: 0, decided: 0, paidAgain: 0, calledAgain: 0 };
    let answeredAtKills = 0;
    let otherVerdicts = 0;
    for (let n = 1; n <= options.cases; n += 1) {
      const boundary = 1 + ((n * options.step - 1) % (whole.events.length - 1));
      const one = await killOnce(world, n, boundary);
      result.killed += 1;
      answeredAtKills += one.answered;
      result.decided += Number(one.verdict !== null);
      result.paidAgain += one.paidAgain;
      result.calledAgain += one.calledAgain;
      otherVerdicts += Number(one.verdict !== whole.verdict);
      options.say(
        `case ${n}, killed after event ${boundary} (${one.lastEvent}): ${one.verdict ?? 'not decided'}`,
      );
    }
    return { ...result, otherVerdicts, answeredAtKills };
  } finally {
    await casefile.kill();
    await Promise.all([client.end(), store.close(), simulator.close()]);
  }
}

interface World {
  casefile: OneProcess;
  script: ScriptedCases;
  record: Record;
  simulator: Simulator;
  callsMade(): string[];
}

async function killOnce(world: World, n: number, boundary: number) {
  const { casefile, record, simulator, callsMade } = world;
  const before = callsMade().length;
  const runId = await take(world, n);
  await until(`event ${boundary}`, async () => (await record.events(runId)).length >= boundary, 1);
  await casefile.kill();
  const lastEvent = (await record.events(runId)).at(-1);
  const newCalls = () => callsMade().slice(before);
  const [answered, settled] = [await record.answered(runId), await record.settled(runId)];
  const paid = answered.map((step) => simulator.calls().byStep[step] ?? 0);
  const called = settled.map((call) => newCalls().filter((line) => line === call).length);
  await casefile.start();
  const { verdict } = await record.after(runId);
  return {
    lastEvent,
    verdict,
    answered: answered.length,
    paidAgain: answered.filter((step, i) => simulator.calls().byStep[step] !== paid[i]).length,
    calledAgain: settled.filter((call, i) => newCalls().filter((line) => line === call).length !== called[i])
      .length,
  };
}

/** Submits alert `n`. Returns the id of its run. */
async function take({ casefile, script }: Pick<World, 'casefile' | 'script'>, n: number): Promise<string> {
  const { path, body } = script.post(n);
  const answered = await fetch(`${casefile.ingestUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const runId = script.runIdIn(await answered.json());
  if (runId === undefined) throw new Error('the alert was not taken');
  return runId;
}

/** Reads a run from the record. */
class Record {
  constructor(private readonly client: pg.Client) {}

  events(runId: string): Promise<string[]> {
    return this.list('select type as one from events where run_id = $1 order by xid, id', runId);
  }

  /** Returns the steps with an answer, as the provider counts them. */
  answered(runId: string): Promise<string[]> {
    const step = `run_id || '/' || unit || '/' || stage || '/' || round || '/' || step`;
    return this.list(
      `select distinct ${step} as one from llm_interactions where run_id = $1 and state = 'completed'`,
      runId,
    );
  }

  /** Returns the ended calls of outside tools, as the server receives them. */
  async settled(runId: string): Promise<string[]> {
    const { rows } = await this.client.query<{ tool: string; args: object }>(
      `select tool, args from tool_calls where run_id = $1 and state in ('succeeded', 'failed') and tool like 'cluster%'`,
      [runId],
    );
    return rows.map(({ tool, args }) => `${tool.replace('cluster__', '')} ${JSON.stringify(args)}`);
  }

  /** Waits until the run has ended. Returns its events, and its verdict in short; null: no verdict. */
  async after(runId: string): Promise<{ events: string[]; verdict: string | null }> {
    const status = async () =>
      (await this.list('select status as one from runs where id = $1', runId))[0] ?? '';
    const hasEnded = async () => ['decided', 'quarantined', 'stopped'].includes(await status());
    await until(`run ${runId} ends`, hasEnded, 20, WHOLE_SYSTEM_MS);
    const verdicts = await this.list(
      `select concat_ws(' ', body ->> 'disposition', body ->> 'confidence', body ->> 'method', body ->> 'degraded') as one
       from artifacts where run_id = $1 and artifact = 'verdict'`,
      runId,
    );
    return { events: await this.events(runId), verdict: verdicts[0] ?? null };
  }

  private async list(statement: string, runId: string): Promise<string[]> {
    const { rows } = await this.client.query<{ one: string }>(statement, [runId]);
    return rows.map(({ one }) => one);
  }
}
