import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentDetail, ShownEvolutionDetail, ShownExperiment } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { holdsExample } from '../../testing/api-examples.js';
import { OneProcess } from '../../testing/one-process.js';
import { PATIENT } from '../../testing/patient-settings.js';
import { runCasefile } from '../../testing/run-casefile.js';
import { ended } from '../../testing/world.js';
import {
  ENDS_WITHIN_MS,
  evolvingSimulator,
  HIDDEN,
  labelledCases,
  PRICED,
  PROMPT,
} from '../evolving-world.js';

// The whole product in one process, used by its commands and its API, from too few labels to a rollback.

const NAME = `${PROMPT.playbook}/${PROMPT.name}`;
let database: TestDatabase;
let store: PostgresStore;
let simulator: Simulator;
let casefile: OneProcess;
let version = 0;

beforeAll(async () => {
  database = await testDatabase();
  store = createPostgresStore({ databaseUrl: database.url, poolSize: 2 });
  simulator = await evolvingSimulator();
  const folder = temporaryFolder('evolution-path');
  const config = join(folder, 'config.yaml');
  writeFileSync(config, JSON.stringify({ ...PATIENT, ...PRICED }));
  casefile = await OneProcess.prepare(folder, {
    DATABASE_URL: database.url,
    QUEUE_URL: database.url,
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_CONFIG: config,
    CASEFILE_DATA: folder,
  });
  await casefile.start();
  await until('a prompt is live', async () =>
    (await store.promptVersions.list(PROMPT)).some(({ state }) => state === 'live'),
  );
}, 300_000);
afterAll(async () => {
  await casefile.kill();
  await Promise.all([store.close(), simulator.close()]);
  await database.drop();
});

async function run(...args: string[]) {
  const { code, lines, errors } = await runCasefile(...args, '--console', casefile.consoleUrl);
  return { code, text: [...lines, ...errors].join('\n') };
}
async function api<T>(path: string, body?: object): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${casefile.consoleUrl}/api/v1${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as T };
}
const detail = async (id: string) => (await api<ShownEvolutionDetail>(`/evolutions/${id}`)).body;
const start = (...more: string[]) =>
  run('evolve', '--playbook', PROMPT.playbook, '--prompt', PROMPT.name, '--budget', '5', ...more);
const ask = { playbook: PROMPT.playbook, prompt: PROMPT.name, budgetUsd: 5, by: 'ann' };
const act = { by: 'ann', reason: 'a test' };

async function accept(alert: object): Promise<{ caseId: string; runId: string }> {
  const answer = await fetch(`${casefile.ingestUrl}/v1/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alert),
  });
  return (await answer.json()) as { caseId: string; runId: string };
}
async function label(count: number, from = 0): Promise<void> {
  const whenEnded = async (ids: string[]) => {
    for (const id of ids) await ended({ store }, id);
  };
  await labelledCases({ accept, ended: whenEnded, platform: { store } }, count, from);
}

let notes = 0;
/** Judges a new note. Returns its case and the prompt of its run. */
async function judgeNote(): Promise<{ caseId: string; prompt: string | undefined; arm: string | undefined }> {
  notes += 1;
  const text = `New note ${notes} came from the red group.`;
  const { caseId } = await accept({ playbook: PROMPT.playbook, text, collect: false });
  const [first] = (await ended({ store }, caseId)).runs;
  return {
    caseId,
    prompt: first?.settings.promptIds[PROMPT.name],
    arm: first?.settings.experiment?.arm,
  };
}

describe('S4-61 an evolution by commands and by the API', () => {
  it('is refused with fewer than 20 labelled cases, with the number missing', async () => {
    await label(6);
    const refused = await start();
    expect(refused).toMatchObject({
      code: 1,
      text: expect.stringContaining('found 6: 14 are missing') as string,
    });
    const { status, body } = await api('/evolutions', ask);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('14 are missing')]);
    expect((await run('evolve', 'list')).text).toBe('No evolutions.');
  }, 300_000);

  it('is started, listed, shown, paused, resumed and stopped', async () => {
    await label(20, 6);
    const started = await start('--json', '--weights', 'status=1,citations=0,coherence=0,calibration=0');
    const { id } = JSON.parse(started.text) as { id: string };
    expect((await run('evolve', 'list')).text).toContain(id);
    const { body, status } = await api('/evolutions', ask);
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('is running or paused')]);
    expect((await run('evolve', 'pause', id, '--reason', 'prices')).text).toContain('paused');
    expect((await run('evolve', 'pause', id, '--reason', 'again')).code).toBe(1);
    const resumed = await api(`/evolutions/${id}/resume`, { ...act, budgetUsd: 8 });
    expect(resumed).toMatchObject({ status: 200, body: { state: 'running', budgetUsd: 8 } });
    expect((await run('evolve', 'stop', id, '--reason', 'another')).text).toContain('stopped');
    expect((await api(`/evolutions/${id}/resume`, act)).status).toBe(409);
    const shown = await run('evolve', 'show', id);
    expect(shown.text).toContain('train');
    expect((await detail(id)).weights).toEqual({ status: 1, citations: 0, coherence: 0, calibration: 0 });
    expect((await run('evolve', 'show', '00000000-0000-4000-8000-000000000000')).code).not.toBe(0);
  }, 300_000);

  it('adds the best text as a candidate, with scores and intervals by objective on both sets', async () => {
    const request = { ...ask, evaluations: 100 };
    const { body: answer } = await api<{ id: string }>('/evolutions', request);
    holdsExample('startEvolution', { body: request, answer });
    const { id } = answer;
    const isDone = async () => (await detail(id)).state === 'done';
    await until('the evolution is done', isDone, 20, ENDS_WITHIN_MS);
    const { report, version: added, cases, candidates } = await detail(id);
    expect(report).toMatchObject({ result: 'improved' });
    for (const rows of [report!.validation, report!.heldOut])
      expect(rows.map(({ objective }) => objective)).toEqual([
        'score',
        'citations',
        'coherence',
        'calibration',
        'status',
      ]);
    const score = report!.heldOut.find(({ objective }) => objective === 'score')!;
    expect(score.candidate).toBeGreaterThan(score.live!);
    expect(score.interval!.low).toBeGreaterThan(0);
    expect(candidates[report!.best]!.changes).toContainEqual({ change: 'added', text: HIDDEN });
    version = added!;
    expect(await store.promptVersions.get(PROMPT, version)).toMatchObject({ state: 'candidate' });
    const text = (await run('evolve', 'show', id)).text;
    expect(text).toContain('held-out score');
    expect(text).toContain(`version ${version}`);
    // The held-out cases were read twice, by the live and by the best text, after everything else.
    const { plan } = (await store.evolutions.get(id))!.progress as { plan: { heldOut: string[] } };
    const [used] = await store.database.rows<{ runs: number; isLast: boolean }>(
      `select count(*) filter (where case_id = any($2::uuid[]))::int as runs,
         min(created_at) filter (where case_id = any($2::uuid[])) >=
         max(created_at) filter (where not case_id = any($2::uuid[])) as "isLast"
       from runs where settings ->> 'batch' = $1`,
      [id, plan.heldOut],
    );
    expect(used).toEqual({ runs: 2 * cases.heldOut, isLast: true });
  }, 600_000);

  it('leads through a shadow and an experiment to a promotion by a person, and back', async () => {
    const arms = [
      { name: 'control', settings: {} },
      { name: 'new', settings: { prompts: { [PROMPT.name]: version } } },
    ];
    const given = { name: 'evolved', playbook: PROMPT.playbook, arms, ...act };
    const shadow = (
      await api<ShownExperiment>('/experiments', { ...given, mode: 'shadow', share: 1, budgetUsd: 1 })
    ).body;
    expect((await api(`/experiments/${shadow.id}/start`, act)).status).toBe(200);
    await until(
      'a shadow run has ended',
      async () => {
        await judgeNote();
        const { comparison } = (await api<ExperimentDetail>(`/experiments/${shadow.id}`)).body;
        return (comparison.arms[1]?.cases ?? 0) > 0;
      },
      500,
    );
    expect((await api(`/experiments/${shadow.id}/stop`, act)).status).toBe(200);
    const live = (await judgeNote()).prompt;
    const own = (await store.promptVersions.get(PROMPT, version))!.id;
    expect(live).not.toBe(own);

    const ab = (await api<ShownExperiment>('/experiments', { ...given, name: 'ab', mode: 'ab', share: 1 }))
      .body;
    expect((await api(`/experiments/${ab.id}/start`, act)).status).toBe(200);
    await until('a run has the new arm', async () => (await judgeNote()).arm === 'new', 500);
    const promoted = await api(`/experiments/${ab.id}/promote`, { ...act, arm: 'new' });
    expect(promoted).toMatchObject({ status: 200, body: { state: 'promoted' } });
    await until(
      'new runs ask the promoted text',
      async () => {
        const { prompt, arm } = await judgeNote();
        return prompt === own && arm === undefined;
      },
      500,
    );

    const back = await run('prompts', 'state', NAME, '2', 'live', '--reason', 'worse than expected');
    expect(back).toMatchObject({ code: 0, text: `version 2 of ${NAME} is live` });
    await until('new runs ask the earlier text', async () => (await judgeNote()).prompt === live, 500);
    expect(await store.promptVersions.get(PROMPT, version)).toMatchObject({ state: 'retired' });
  }, 600_000);
});
