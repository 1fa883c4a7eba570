import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { flow } from '@casefile/pipeline';
import { createInlineQueue, toolTopic } from '@casefile/queue';
import { assemble, connect, openDatabase, readConfig, OneModel } from '@casefile/runtime';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { testEnvironment } from '@casefile/e2e/testing/world';

/**
 * Names of the executed functions by file, with their position. Files are relative to `libs/*\/dist` and
 * `apps/*\/dist`.
 */
type Ran = Map<string, Set<string>>;

/** The number of executed files and functions, and the names of the functions by file. */
export interface Executed {
  files: number;
  functions: number;
  names: Record<string, string[]>;
}

export interface Track {
  /** Code executed between the accepted alert and its verdict. */
  alert: Executed;
  /** Code executed by the stage critique, from its job to its commit and the next job. */
  critique: Executed;
}

const TEXT = 'Your parcel is held. Pay the fee of $1.99 at http://parcel-fee.top/pay or call +1 202 555 0143';

/**
 * Counts the files and named functions that one scam-verdict alert runs on Postgres and the inline queue, by
 * V8's precise coverage. An earlier alert excludes code that runs only at the start.
 * @throws when an alert is not decided.
 */
export async function trackAlert(): Promise<Track> {
  const dir = temporaryFolder('house');
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
  const session = new Session();
  session.connect();
  try {
    await createDatabaseIfMissing(postgres.url('postgres'), 'house');
    const { url } = await openDatabase({ databaseUrl: postgres.url('house'), dataDir: dir }, silentLogger);
    const env = testEnvironment({
      DATABASE_URL: url,
      QUEUE_URL: url,
      CASEFILE_DATA: dir,
      LLM_PROVIDER: 'simulator',
    });
    const { adapters, close } = await connect(readConfig(env, kinds), []);
    try {
      return await track(adapters, session);
    } finally {
      await close();
    }
  } finally {
    session.disconnect();
    await postgres.stop();
  }
}

async function track(adapters: Parameters<typeof assemble>[0], session: Session): Promise<Track> {
  const queue = createInlineQueue({ log: silentLogger });
  const platform = assemble({ ...adapters, queue, models: new OneModel(instantModel()) });
  const whole: Ran = new Map();
  const critique: Ran = new Map();
  let decided: () => void = () => undefined;
  for (const { name } of flow)
    queue.on(name, async (job) => {
      await take(session, whole);
      await platform.stages.handle(name, job);
      await take(session, whole, ...(name === 'critique' ? [critique] : []));
      if (name === 'decide') decided();
    });
  for (const tool of platform.toolNames) queue.on(toolTopic(tool), (job) => platform.toolCalls.handle(job));
  const judge = async (text: string) => {
    const over = new Promise<void>((resolve) => (decided = resolve));
    const { caseId } = await platform.intake.accept({ playbook: 'scam-verdict', text });
    await over;
    await take(session, whole);
    return caseId;
  };
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await judge(`${TEXT}0`);
  whole.clear();
  critique.clear();
  const caseId = await judge(TEXT);
  const status = (await platform.store.record.getCase(caseId))?.runs[0]?.status;
  if (status !== 'decided') throw new Error(`the alert ended ${status}`);
  return { alert: counted(whole), critique: counted(critique) };
}

// Reading the coverage resets its counters.
async function take(session: Session, ...into: Ran[]): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  for (const { url, functions } of result) {
    const file = /\/((?:libs|apps)\/[^/]+\/dist\/.*)\.js$/.exec(url)?.[1];
    if (file === undefined || /^apps\/(?:e2e|bench)\//.test(file)) continue;
    const ran = functions.filter(
      ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
    );
    if (ran.length === 0) continue;
    for (const all of into) {
      const executed = all.get(file) ?? new Set();
      for (const { functionName, ranges } of ran) executed.add(`${functionName}@${ranges[0]?.startOffset}`);
      all.set(file, executed);
    }
  }
}

function counted(ran: Ran): Executed {
  const names = [...ran].map(([file, all]) => [file, [...all].map((name) => name.split('@')[0]!)] as const);
  const functions = names.reduce((sum, [, all]) => sum + all.length, 0);
  return { files: ran.size, functions, names: Object.fromEntries(names.toSorted()) };
}
