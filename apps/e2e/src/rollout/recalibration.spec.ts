import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { consoleWith } from '@casefile/console/console';
import type { Quality, RunDocument, ShownExperiment, ShownRecalibration } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { startService, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { answeringModel } from '../testing/answering-model.js';
import { realWorld, type World } from '../testing/world.js';
import { parcelSize } from '../toy-kind/parcel-size/index.js';

const answer = JSON.stringify({ size: 'large', confidence: 0.8, why: 'A lamp of that length is bulky.' });

// Copies of the one verdict on the record with labels of a person: half of those that state 0.8 are right, and
// 30 % of those that state 0.6.
const LABELS = `
  with copies as (
    insert into verdict_figures
    select (jsonb_populate_record(v, jsonb_build_object('run_id', gen_random_uuid(),
      'confidence', case when i % 2 = 0 then 0.8 else 0.6 end, 'confidence_source', $2::text))).*
    from verdict_figures v, generate_series(1, $1::int) i where v.run_id = $3::uuid returning run_id, case_id, confidence)
  insert into feedback (id, case_id, run_id, agrees, outcome, "by", at)
  select gen_random_uuid(), case_id, run_id,
    row_number() over (partition by confidence) % 10 < (case when confidence = 0.8 then 5 else 3 end), '{}', 'ann', now()
  from copies`;

describe('a recalibration', () => {
  let world: World;
  let service: RunningService;
  let first: RunDocument;
  let version = 0;
  beforeAll(async () => {
    world = await realWorld('inline', answeringModel(answer), {}, [
      ...kinds,
      defineKind({ playbook: parcelSize }),
    ]);
    service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
    first = await judgeParcel();
    await updateFigures();
  });
  afterAll(async () => {
    await service.close();
    await world.close();
  });

  const post = async (path: string, body: object): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      body: JSON.stringify({ by: 'ann', reason: 'a test', ...body }),
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.status, body: await response.json() };
  };
  async function casefile(...args: string[]) {
    const terminal = memoryTerminal();
    const code = await run([...args, '--console', service.url], terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  }
  const addLabels = (count: number, source: string) =>
    (world.platform.store as PostgresStore).database.rows(LABELS, [count, source, first.id]);
  /** Reads the events of decided runs into the figures. */
  async function updateFigures() {
    const { qualityFigures } = world.platform.store;
    await until('the verdict is among the figures', async () => {
      await qualityFigures.note(10_000, 0);
      const range = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
      return (await qualityFigures.counts({ ...range, playbook: parcelSize.name })).length > 0;
    });
  }
  let parcels = 0;
  async function judgeParcel(): Promise<RunDocument> {
    parcels += 1;
    const parcel = { contents: `lamp ${parcels}`, sidesCm: [120, 20, 10] };
    const { caseId } = await world.accept({ playbook: parcelSize.name, payload: { parcel } });
    const [newRun] = (await world.ended(caseId)).runs;
    if (newRun === undefined) throw new Error('the case has no run');
    return newRun;
  }
  const inForce = (test: () => boolean) => until('the change is in force', async () => test());
  const current = () => world.platform.rollout.current();

  it('S4-60 is refused under 100 labels, with the number that is missing', async () => {
    await addLabels(60, 'llm');
    const refused = await post('/quality/recalibrations', { playbook: parcelSize.name });
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('there are 60, and 40 more are needed') },
    });
  });

  it('S4-60 is refused for labels of several sources, which it names', async () => {
    await addLabels(60, 'heuristic');
    const refused = await post('/quality/recalibrations', { playbook: parcelSize.name });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('choose one of heuristic | llm');
  });

  it('S4-60 is stored as a version with its labels, and is not in force', async () => {
    await addLabels(140, 'llm');
    const reply = await post('/quality/recalibrations', {
      playbook: parcelSize.name,
      confidenceSource: 'llm',
      actId: 'learn',
    });
    const added = reply.body as ShownRecalibration;
    expect(reply.status).toBe(201);
    expect(added).toMatchObject({ method: 'platt', labels: 200, author: 'ann', inForce: false });
    expect(added.brierRecalibrated).toBeLessThan(added.brierStated);
    version = added.version;
    const again = await post('/quality/recalibrations', {
      playbook: parcelSize.name,
      confidenceSource: 'llm',
      actId: 'learn',
    });
    expect(again.body).toEqual(added);
    expect(current().recalibrations).toEqual([]);
    expect((await judgeParcel()).verdict).not.toHaveProperty('statedConfidence');
    const { text } = await casefile('quality', 'recalibrations');
    expect(text).toContain(`recalibration ${version}  not in force`);
    const mixed = await casefile('quality', 'recalibrate', '--playbook', parcelSize.name, '--reason', 'try');
    expect(mixed).toMatchObject({ code: 1, text: expect.stringContaining('heuristic | llm') });
  });

  it('S4-60 comes into force by an experiment: verdicts carry both confidences, and a limit of the arm holds', async () => {
    const arms = [
      { name: 'control', settings: {} },
      { name: 'recalibrated', settings: { recalibration: version, actFrom: 0.7 } },
    ];
    const experiment = { name: 'recalibrated', playbook: parcelSize.name, mode: 'ab', share: 1 };
    const unknown = [arms[0], { name: 'other', settings: { recalibration: 99 } }];
    const refused = await post('/experiments', { ...experiment, arms: unknown });
    expect(JSON.stringify(refused.body)).toContain('this kind has no recalibration 99');
    const { id } = (await post('/experiments', { ...experiment, arms })).body as ShownExperiment;
    await post(`/experiments/${id}/start`, {});
    await inForce(() => current().experiments.length === 1);
    const { verdict } = await judgeParcel();
    expect(verdict).toMatchObject({
      confidenceSource: 'calibrated',
      statedConfidence: { confidence: 0.8, source: 'llm', recalibration: version },
      disposition: 'review',
    });
    expect(verdict?.confidence).toBeCloseTo(0.5, 1);

    const promoted = await post(`/experiments/${id}/promote`, {});
    expect(promoted.body).toMatchObject({ state: 'promoted' });
    await inForce(() => current().recalibrations.some((one) => one.inForce));
    const after = await judgeParcel();
    expect(after.verdict).toMatchObject({ confidenceSource: 'calibrated', disposition: 'act' });
    expect(after.verdict).not.toHaveProperty('experiment');
  });

  it('S4-60 leaves replays of older runs as they were, and its own as they are', async () => {
    const made = await judgeParcel();
    const { store, rerun } = world.platform;
    for (const base of [first, made]) {
      const found = await store.record.getRun(base.id);
      const caseId = found?.caseId ?? '';
      const { runId } = await rerun.open(caseId, { lane: 'replay', run: base.id });
      const replay = (await world.ended(caseId)).runs.find(({ id }) => id === runId);
      expect({ ...replay?.verdict, decidedAt: '' }).toEqual({ ...base.verdict, decidedAt: '' });
    }
    expect(first.verdict?.confidence).toBe(0.8);
  });

  it('S4-60 has a calibration of its own, never mixed with that of the stated confidence', async () => {
    await updateFigures();
    await addLabels(1, 'llm');
    const calibrated = `update verdict_figures set confidence_source = 'calibrated', recalibration = $1,
      stated_source = 'llm', stated_confidence = confidence, confidence = 0.5
      where run_id in (select f.run_id from feedback f join verdict_figures v on v.run_id = f.run_id
        where v.confidence_source = 'llm' order by f.run_id limit 120)`;
    await (world.platform.store as PostgresStore).database.rows(calibrated, [version]);
    const shown = (await (await fetch(`${service.url}/api/v1/quality`)).json()) as Quality;
    expect(
      shown.calibration.map(({ confidenceSource, recalibration, labels }) => [
        confidenceSource,
        recalibration,
        labels,
      ]),
    ).toEqual([
      ['calibrated', version, 120],
      ['llm', null, 81],
      ['heuristic', null, 60],
    ]);
    // A further fit reads what was stated.
    const next = await post('/quality/recalibrations', {
      playbook: parcelSize.name,
      confidenceSource: 'llm',
    });
    expect(next.body).toMatchObject({ version: version + 1, labels: 201, confidenceSource: 'llm' });
  });

  it('S4-60 creates an experiment for a suggested limit, which nothing starts', async () => {
    const none = await post('/quality/experiments', { playbook: parcelSize.name, confidenceSource: 'llm' });
    expect(none).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('show no confidence') },
    });
    const right = `update feedback set agrees = true where run_id in (
      select run_id from verdict_figures where stated_confidence = 0.8 or (stated_confidence is null and confidence = 0.8))`;
    await (world.platform.store as PostgresStore).database.rows(right, []);
    const reply = await post('/quality/experiments', { playbook: parcelSize.name, confidenceSource: 'llm' });
    expect(reply).toMatchObject({
      status: 201,
      body: { experiment: { state: 'draft', mode: 'ab', share: 0.1 }, suggestion: { wrong: 0 } },
    });
    expect(current().experiments).toEqual([]);
  });

  it('S4-60 S4-59 prints the labels with their origin, alert and whether the product proposed them', async () => {
    const { code, text } = await casefile('quality', 'labels', '--playbook', parcelSize.name);
    const [first] = text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(first).toMatchObject({ origin: 'person', alert: { payload: { parcel: {} } } });
    expect(first?.['fromProposal']).toBe(first?.['right']);
  });

  it('S4-60 is switched off by its flag', async () => {
    const off = await casefile('flags', 'set', `recalibration.${version}`, 'off', '--reason', 'not better');
    expect(off.code).toBe(0);
    await inForce(() => current().recalibrations.length === 0);
    expect((await judgeParcel()).verdict).toMatchObject({ confidence: 0.8, confidenceSource: 'llm' });
  });
});
