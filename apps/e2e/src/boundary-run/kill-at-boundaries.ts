import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '@casefile/embedded/testing';
import { startSimulator, type Simulator, type SimulatorOptions } from '@casefile/llm-simulator/simulator';
import { childEnvironment } from '@casefile/runtime';
import type { CaseStore } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createPostgresStore } from '@casefile/store';
import { until } from '../testing/until.js';

const CLI = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const PORTS = ['CONSOLE', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];

/** Cases of one kind that are handed in one after another, and the model that plays them. */
export interface ScriptedCases {
  answer: SimulatorOptions['answer'];
  /** Writes a configuration. @returns its file, and the calls of outside tools so far. */
  configured(folder: string, handOn: 'queue' | 'direct'): { config: string; callsMade(): string[] };
  /** Before the first of them; left out: nothing. */
  prepare?(store: CaseStore): Promise<void>;
  /** Where and what is posted for case `n`, and the id of its run in the answer. */
  post(n: number): { path: string; body: object };
  runIdIn(answer: unknown): string | undefined;
}

export interface BoundaryRunOptions {
  script: ScriptedCases;
  databaseUrl: string;
  queueUrl: string;
  handOn: 'queue' | 'direct';
  /** One after another; each is killed once, at the next boundary, from the first one to the last and over again. */
  cases: number;
  /** Every so-manieth boundary. */
  step: number;
  say(line: string): void;
}

export interface BoundaryRunResult {
  /** Commits that one case leaves on the record, by their events. */
  boundaries: number;
  killed: number;
  decided: number;
  /** Recorded answers that were asked for again after the kill. */
  paidAgain: number;
  /** Recorded results of tools that were called for again after it. */
  calledAgain: number;
  /** Cases that read otherwise than the one without a kill. */
  otherVerdicts: number;
}

/** Cases one after another, all services killed with -9 at each boundary that a case leaves on the record. */
export async function killAtBoundaries(options: BoundaryRunOptions): Promise<BoundaryRunResult> {
  const folder = temporaryFolder('boundaries');
  const { script } = options;
  const { config, callsMade } = script.configured(folder, options.handOn);
  const simulator = await startSimulator({ answer: script.answer });
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  const store = createPostgresStore({ databaseUrl: options.databaseUrl, poolSize: 1 });
  const casefile = new Casefile(script, folder, await freePort(), {
    DATABASE_URL: options.databaseUrl,
    QUEUE_URL: options.queueUrl,
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_CONFIG: config,
    CASEFILE_DATA: folder,
  });
  const world: World = { casefile, record: new Record(client), simulator, callsMade };
  try {
    await casefile.start();
    await script.prepare?.(store);
    const whole = await world.record.after(await casefile.take(0));
    const result = { boundaries: whole.events.length, killed: 0, decided: 0, paidAgain: 0, calledAgain: 0 };
    let otherVerdicts = 0;
    for (let n = 1; n <= options.cases; n += 1) {
      const boundary = 1 + ((n * options.step - 1) % (whole.events.length - 1));
      const one = await killOnce(world, n, boundary);
      result.killed += 1;
      result.decided += Number(one.verdict !== null);
      result.paidAgain += one.paidAgain;
      result.calledAgain += one.calledAgain;
      otherVerdicts += Number(one.verdict !== whole.verdict);
      options.say(`case ${n}, killed after event ${boundary} (${one.seen}): ${one.verdict ?? 'not decided'}`);
    }
    return { ...result, otherVerdicts };
  } finally {
    await casefile.kill();
    await Promise.all([client.end(), store.close(), simulator.close()]);
  }
}

interface World {
  casefile: Casefile;
  record: Record;
  simulator: Simulator;
  callsMade(): string[];
}

async function killOnce({ casefile, record, simulator, callsMade }: World, n: number, boundary: number) {
  const before = callsMade().length;
  const runId = await casefile.take(n);
  await until(`event ${boundary}`, async () => (await record.events(runId)).length >= boundary, 1);
  await casefile.kill();
  const seen = (await record.events(runId)).at(-1);
  const made = () => callsMade().slice(before);
  const [answered, settled] = [await record.answered(runId), await record.settled(runId)];
  const paid = answered.map((step) => simulator.calls().byStep[step] ?? 0);
  const called = settled.map((call) => made().filter((line) => line === call).length);
  await casefile.start();
  const { verdict } = await record.after(runId);
  return {
    seen,
    verdict,
    paidAgain: answered.filter((step, i) => simulator.calls().byStep[step] !== paid[i]).length,
    calledAgain: settled.filter((call, i) => made().filter((line) => line === call).length !== called[i])
      .length,
  };
}

/** All services in one process, which can be killed and started again. */
class Casefile {
  private child: ChildProcess | null = null;

  constructor(
    private readonly script: ScriptedCases,
    private readonly folder: string,
    private readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  async start(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a');
    const ports = Object.fromEntries(PORTS.map((name) => [`${name}_PORT`, '0']));
    const env = {
      ...ports,
      ...this.env,
      INGEST_PORT: String(this.port),
      NODE_OPTIONS: '',
      RDAP_BASE_URL: 'off',
    };
    this.child = spawn(process.execPath, [CLI, 'up', '--no-samples', '--json'], {
      env: childEnvironment(env),
      stdio: ['ignore', log, log],
    });
    await until('Casefile is up', () =>
      fetch(`http://127.0.0.1:${this.port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Hands an alert in. @returns the id of its run. */
  async take(n: number): Promise<string> {
    const { path, body } = this.script.post(n);
    const answered = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const runId = this.script.runIdIn(await answered.json());
    if (runId === undefined) throw new Error('the alert was not taken');
    return runId;
  }
}

/** What is on the record of a run. */
class Record {
  constructor(private readonly client: pg.Client) {}

  events(runId: string): Promise<string[]> {
    return this.list('select type as one from events where run_id = $1 order by xid, id', runId);
  }

  /** Steps with an answer, as the provider counts them. */
  answered(runId: string): Promise<string[]> {
    const step = `run_id || '/' || unit || '/' || stage || '/' || round || '/' || step`;
    return this.list(
      `select distinct ${step} as one from llm_interactions where run_id = $1 and state = 'completed'`,
      runId,
    );
  }

  /** Calls of outside tools that have ended, as the server is called. */
  async settled(runId: string): Promise<string[]> {
    const { rows } = await this.client.query<{ tool: string; args: object }>(
      `select tool, args from tool_calls where run_id = $1 and state in ('succeeded', 'failed') and tool like 'cluster%'`,
      [runId],
    );
    return rows.map(({ tool, args }) => `${tool.replace('cluster__', '')} ${JSON.stringify(args)}`);
  }

  /** Once the run has ended: its events, and its verdict in short; null: it was given up. */
  async after(runId: string): Promise<{ events: string[]; verdict: string | null }> {
    const status = async () =>
      (await this.list('select status as one from runs where id = $1', runId))[0] ?? '';
    await until(`run ${runId} ends`, async () =>
      ['decided', 'quarantined', 'stopped'].includes(await status()),
    );
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
