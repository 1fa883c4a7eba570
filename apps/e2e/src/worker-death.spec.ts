import type { CaseStore } from '@casefile/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import type { ServiceName } from '@casefile/runtime';
import { createPostgresStore } from '@casefile/store';
import { testDatabase } from '@casefile/store/testing';
import { until } from './testing/until.js';
import { serviceProcesses, type ServiceProcess } from './testing/service-processes.js';
import { ended } from './testing/world.js';

/** Of the strategy of message-screening, and how long the reasoner stays away: longer than that. */
const DEADLINE_MS = 15_000;
const AWAY_MS = DEADLINE_MS + 1_000;
/** How long a call of the model takes, so that a process can be stopped while it is under way. */
const CALL_MS = 1_000;

interface World {
  store: CaseStore;
  simulator: Simulator;
  services: ServiceProcess[];
  ingest: ServiceProcess;
  reasoner: ServiceProcess;
  second: ServiceProcess;
  close(): Promise<void>;
}

/** A short lease: whoever takes over does so soon. In scam-verdict no deadline passes, however slow the machine is. */
const CONFIG = `lease: { seconds: 2, deadlinePauseMs: 120000 }
playbooks: { message-screening: { deadlineMs: ${DEADLINE_MS} }, scam-verdict: { deadlineMs: 600000 } }
`;

describe('a worker that dies or stands still', () => {
  let world: World;
  beforeAll(async () => {
    world = await processes();
    const started = world.services.filter((one) => one !== world.second);
    await Promise.all(started.map((one) => one.start()));
  }, 300_000);
  afterAll(() => world.close());
  const askedFor = (text: string) =>
    world.simulator.requests().filter(({ body }) => JSON.stringify(body).includes(text)).length;

  it('E-13 the time without a reasoner does not count: the case is decided by the model all the same', async () => {
    const caseId = await handIn(
      world,
      'Your account is blocked, call +1 555 010 1234 now',
      'message-screening',
    );
    await until('the model is asked', () => askedFor('010 1234') === 1);
    await world.reasoner.signal('SIGKILL');
    await pause(AWAY_MS);
    await world.reasoner.start();
    const run = (await ended(world, caseId)).runs[0]!;
    const answers = run.interactions.filter(({ stage, step }) => stage === 'reason' && step === 1);
    expect(answers.map(({ state }) => state)).toEqual(['ambiguous', 'completed']);
    expect(run.verdict).toMatchObject({ method: 'llm', degraded: false });
  }, 300_000);

  it('R14 an alert that kills its worker each time is alone quarantined, after the third', async () => {
    const poisonous = await handIn(world, 'A poisonous text, call +1 555 010 9999 now');
    // Under way at each death, as the poisonous one is: their first call takes longer than it lives.
    const beside = await Promise.all(
      [1, 2, 3].map((n) => handIn(world, `Beside it ${n}, call +1 555 010 200${n} now`)),
    );
    await until('all are under way', () => [1, 2, 3].every((n) => askedFor(`Beside it ${n}`) === 1));
    const others: string[] = [];
    for (let death = 1; death <= 3; death += 1) {
      await until(`its worker is at it, time ${death}`, () => askedFor('poisonous') === death);
      await world.reasoner.signal('SIGKILL');
      await world.reasoner.start();
      // Under way at the deaths that follow, two at most.
      others.push(await handIn(world, `Your account ${death} is blocked, call +1 555 010 100${death} now`));
    }
    const { runs } = await ended(world, poisonous);
    expect(runs).toMatchObject([{ status: 'quarantined', reasonCode: 'crashed_repeatedly' }]);
    for (const caseId of [...beside, ...others]) {
      const { runs: decided } = await ended(world, caseId);
      expect(decided).toMatchObject([{ status: 'decided', verdict: { method: 'llm' } }]);
    }
    expect((await world.store.deadLetters.find({ limit: 10 })).items).toHaveLength(1);
  }, 300_000);

  it('R5 a reasoner that stood still past its lease writes nothing when it goes on', async () => {
    const caseId = await handIn(world, 'Your parcel 010 7777 is held, pay at http://parcel.example now');
    await until('the model is asked', () => askedFor('010 7777') === 1);
    const zombie = world.reasoner;
    process.kill(zombie.pid!, 'SIGSTOP');
    await world.second.start();
    const before = (await ended(world, caseId)).runs[0]!;
    await world.second.signal('SIGTERM');
    process.kill(zombie.pid!, 'SIGCONT');
    // It is the only one now: with another case decided it has long come to what it held.
    await ended(world, await handIn(world, 'Hello, are we still on for lunch tomorrow?'));
    const after = (await world.store.record.getCase(caseId))!.runs[0]!;
    expect(after).toEqual(before);
    expect(after.artifacts.filter(({ artifact }) => artifact === 'draft')).toHaveLength(1);
    const answers = after.interactions.filter(({ stage, step }) => stage === 'reason' && step === 1);
    expect(answers.map(({ state }) => state)).toEqual(['ambiguous', 'completed']);
  }, 300_000);
});

/** Every service as a process, not started yet, and a second reasoner. */
async function processes(): Promise<World> {
  const dir = temporaryFolder('death');
  writeFileSync(join(dir, 'config.yaml'), CONFIG);
  const database = await testDatabase();
  const store = createPostgresStore({ databaseUrl: database.url, poolSize: 2 });
  const simulator = await startSimulator({ script: { delayMs: CALL_MS } });
  const names: ServiceName[] = ['ingest', 'evidence-collector', 'critic-writer', 'decision'];
  const services = await serviceProcesses([...names, 'reasoner', 'reasoner'], {
    databaseUrl: database.url,
    queueUrl: database.url,
    logFile: join(dir, 'services.log'),
    env: {
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: simulator.baseUrl,
      CASEFILE_CONFIG: join(dir, 'config.yaml'),
      CASEFILE_DATA: dir,
    },
  });
  const close = async () => {
    await Promise.all(services.map((one) => one.signal('SIGKILL')));
    await simulator.close();
    await store.close();
    await database.drop();
  };
  const [ingest, , , , reasoner, second] = services as [ServiceProcess, ...ServiceProcess[]];
  return { ingest, reasoner: reasoner!, second: second!, store, simulator, services, close };
}

/** As a sender does: again until it is accepted, with a key. */
async function handIn({ ingest }: World, text: string, playbook = 'scam-verdict'): Promise<string> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  let accepted!: Response;
  await until('the alert is accepted', async () => {
    const body = JSON.stringify({ playbook, text });
    accepted = await fetch(`${ingest.url}/v1/alerts`, { method: 'POST', headers, body });
    expect([202, 503]).toContain(accepted.status);
    return accepted.status === 202;
  });
  return ((await accepted.json()) as { caseId: string }).caseId;
}
