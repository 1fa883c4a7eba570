import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { consoleWith } from '@casefile/console/console';
import type { ExperimentDetail, RunDocument, ShownExperiment, VerdictMessage } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { AlertsQueueController } from '@casefile/ingest/ingest';
import { startService, type JobContext, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { answeringModel } from '../testing/answering-model.js';
import { realWorld, type World } from '../testing/world.js';
import { parcelSize } from '../toy-kind/parcel-size/index.js';

const answer = JSON.stringify({ size: 'large', confidence: 0.8, why: 'A lamp of that length is bulky.' });
const PROMPT = { playbook: parcelSize.name, name: 'answer' };

describe('an A/B experiment', () => {
  let world: World;
  let service: RunningService;
  let id = '';
  const sent: VerdictMessage[] = [];
  beforeAll(async () => {
    world = await realWorld('inline', answeringModel(answer), {}, [
      ...kinds,
      defineKind({ playbook: parcelSize }),
    ]);
    const { queue } = world.platform;
    const publish = queue.publishVerdicts.bind(queue);
    queue.publishVerdicts = async (messages) => {
      sent.push(...messages);
      await publish(messages);
    };
    service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
  });
  afterAll(async () => {
    await service.close();
    await world.close();
  });

  const api = async (path: string, body?: object): Promise<Response> =>
    fetch(`${service.url}/api/v1/experiments${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
  async function casefile(...args: string[]) {
    const terminal = memoryTerminal();
    const code = await run(['experiments', ...args, '--console', service.url], terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  }
  const act = (actId: string) => ({ by: 'ann', reason: 'a test', actId });
  const detail = async () => (await (await api(`/${id}`)).json()) as ExperimentDetail;
  const stateOf = async (version: number) =>
    (await world.platform.store.promptVersions.get(PROMPT, version))?.state;
  const inForce = (share: number | null) =>
    until('the change is in force', async () => {
      const { experiments } = world.platform.rollout.current();
      return (experiments.find((one) => one.id === id)?.share ?? null) === share;
    });

  let parcels = 0;
  async function judgeParcel(): Promise<RunDocument> {
    parcels += 1;
    const alert = {
      playbook: parcelSize.name,
      payload: { parcel: { contents: `lamp ${parcels}`, sidesCm: [120, 20, 10] } },
    };
    const response = await fetch(`${world.ingestUrl}/v1/alerts`, {
      method: 'POST',
      body: JSON.stringify(alert),
      headers: { 'content-type': 'application/json' },
    });
    const { caseId } = (await response.json()) as { caseId: string };
    const [first] = (await world.ended(caseId)).runs;
    if (first === undefined) throw new Error('the case has no run');
    return first;
  }

  /** Returns the arm of an alert that came by the queue `alerts`. */
  async function armOfQueuedAlert(): Promise<string | undefined> {
    const parcel = { contents: 'a lamp by queue', sidesCm: [120, 20, 10] };
    const job = { jobId: 'one', stalls: 0 } as JobContext;
    await new AlertsQueueController(world.platform).take(
      { playbook: parcelSize.name, payload: { parcel } },
      job,
    );
    const { database } = world.platform.store as PostgresStore;
    const [row] = await database.rows<{ arm: string }>(
      `select settings -> 'experiment' ->> 'arm' as arm from runs order by created_at desc, id desc limit 1`,
    );
    return row?.arm;
  }

  it('S4-51 is created as a draft; impossible settings are refused by name', async () => {
    const { store } = world.platform;
    const shipped = await store.promptVersions.get(PROMPT, 1);
    if (shipped === null) throw new Error('the kind has no prompt');
    const text = `${shipped.text}\nWeigh the longest side.`;
    const added = { ...PROMPT, id: 'parcel-size/answer@1#2', sha256: '2'.repeat(64), text, parent: 1 };
    await store.promptVersions.add({ ...added, ...act('prompt') });
    const file = join(temporaryFolder('experiments'), 'experiment.json');
    const arms = (settings: object) => [
      { name: 'control', settings: {} },
      { name: 'new', settings },
    ];
    const given = { name: 'longest side', playbook: parcelSize.name, mode: 'ab', share: 0.5 };
    const refusals: [settings: object, path: string][] = [
      [{ strategy: 'none' }, 'arms[1].settings.strategy: expected one of'],
      [{ provider: 'nobody' }, 'arms[1].settings.provider: expected one of'],
      [{ prompts: { answer: 9 } }, 'arms[1].settings.prompts.answer'],
    ];
    for (const [settings, path] of refusals) {
      writeFileSync(file, JSON.stringify({ ...given, arms: arms(settings) }));
      const refused = await casefile('create', file, '--reason', 'x');
      expect([refused.code, refused.text]).toEqual([1, expect.stringContaining(path)]);
    }
    writeFileSync(file, JSON.stringify({ ...given, playbook: 'nothing', arms: arms({}) }));
    expect((await casefile('create', file, '--reason', 'x')).text).toContain('playbook: expected one of');
    const settings = { prompts: { answer: 2 }, options: { deadlineMs: 9_000 } };
    writeFileSync(file, JSON.stringify({ ...given, arms: arms(settings) }));
    const created = await casefile('create', file, '--reason', 'x', '--by', 'ann', '--json');
    const experiment = JSON.parse(created.text) as ShownExperiment;
    id = experiment.id;
    expect(experiment).toMatchObject({ state: 'draft', margin: 0.05, expectedCases: 2_000, limit: 0.05 });
    expect(experiment).not.toHaveProperty('salt');
    expect((await judgeParcel()).settings).not.toHaveProperty('flag');
  });

  it('S4-51 S4-52 starts: runs get arms, which stand on the verdict and on the queue', async () => {
    for (const _twice of [1, 2]) {
      const started = await api(`/${id}/start`, act('start'));
      expect([started.status, await started.json()]).toEqual([
        200,
        expect.objectContaining({ state: 'running' }),
      ]);
    }
    expect(await stateOf(2)).toBe('shadow');
    await inForce(0.5);
    const runs: RunDocument[] = [];
    for (let i = 0; i < 12; i += 1) runs.push(await judgeParcel());
    const arms = runs.map(({ settings }) => settings.experiment?.arm);
    expect(new Set(arms)).toEqual(new Set(['control', 'new']));
    for (const one of runs) {
      const { arm } = one.settings.experiment!;
      expect(one.verdict?.experiment).toEqual({ id, arm });
      const own = arm === 'new' ? 'parcel-size/answer@1#2' : 'parcel-size/answer@1';
      expect(one.verdict?.promptIds).toEqual([own]);
      const delivered = () => sent.find(({ runId }) => runId === one.id);
      await until('the verdict is delivered', async () => delivered() !== undefined);
      expect(delivered()?.verdict.experiment).toEqual({ id, arm });
    }
    const { comparison } = await detail();
    const [control, changed] = comparison.arms;
    expect([control?.cases, changed?.cases]).toEqual(
      ['control', 'new'].map((name) => arms.filter((arm) => arm === name).length),
    );
    expect(comparison).toMatchObject({ finding: 'not_enough', sampleRatio: { fits: true } });
    expect((await casefile('show', id)).text).toContain('right by feedback');
  });

  it('S4-56 raises the share, and allows one running experiment per kind', async () => {
    expect((await casefile('share', id, '100', '--reason', 'it works')).text).toContain('100 %');
    await inForce(1);
    expect((await judgeParcel()).settings.experiment?.arm).toBe('new');
    expect(await armOfQueuedAlert()).toBe('new');
    const { name, playbook, mode, arms } = await detail();
    const other = { name: `${name} again`, playbook, mode, arms, share: 0.1, ...act('other') };
    const second = (await (await api('', other)).json()) as ShownExperiment;
    const refused = await api(`/${second.id}/start`, act('start other'));
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('is running')]);
    expect((await api('/none/start', act('x'))).status).toBe(404);
  });

  it('S4-56 promotes: the prompt version is live, and other settings are named for the configuration', async () => {
    const promoted = await api(`/${id}/promote`, act('promote'));
    expect(await promoted.json()).toMatchObject({
      state: 'promoted',
      configuration: { playbooks: { [parcelSize.name]: { deadlineMs: 9_000 } } },
    });
    expect([await stateOf(1), await stateOf(2)]).toEqual(['retired', 'live']);
    await inForce(null);
    const after = await judgeParcel();
    expect(after.settings).not.toHaveProperty('experiment');
    expect(after.verdict?.promptIds).toEqual(['parcel-size/answer@1#2']);
    expect((await detail()).history.map(({ type }) => type)).toEqual([
      'experiment.promoted',
      'experiment.share_changed',
      'experiment.started',
      'experiment.created',
    ]);
    expect((await api(`/${id}/start`, act('again'))).status).toBe(409);
  });

  it('S4-57 stops: the flag is off, and a version that was only tried is a candidate again', async () => {
    const given = { name: 'back', playbook: parcelSize.name, mode: 'ab', share: 1 };
    const arms = [
      { name: 'control', settings: {} },
      { name: 'old', settings: { prompts: { answer: 1 } } },
    ];
    ({ id } = (await (await api('', { ...given, arms, ...act('back') })).json()) as ShownExperiment);
    await api(`/${id}/start`, act('start back'));
    await inForce(1);
    expect((await judgeParcel()).verdict?.promptIds).toEqual(['parcel-size/answer@1']);
    expect((await casefile('stop', id, '--reason', 'enough')).text).toContain('stopped');
    await inForce(null);
    expect(await stateOf(1)).toBe('candidate');
    expect((await judgeParcel()).verdict?.promptIds).toEqual(['parcel-size/answer@1#2']);
    const flags = await world.platform.store.flags.list();
    expect(flags.find(({ name }) => name === `experiment.${id}`)).toMatchObject({
      variant: 'off',
      latched: false,
    });
  });
});
