import type { RunningExperiment, VerdictMessage } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { NO_ROLLOUT, type RolloutView } from '@casefile/runtime';
import { answeringModel } from '../testing/answering-model.js';
import { inlineWorld, type World } from '../testing/world.js';
import { parcelSize } from '../toy-kind/parcel-size/index.js';

const ID = '01930000-0000-7000-8000-000000000036';
const FLAG = `experiment.${ID}`;
const experiment: RunningExperiment = {
  id: ID,
  name: 'rules alone',
  playbook: parcelSize.name,
  mode: 'ab',
  arms: [
    { name: 'control', settings: {} },
    { name: 'rules', settings: { strategy: 'rules', provider: 'none' } },
  ],
  share: 0.5,
  limit: 0.05,
  salt: 'salt',
};
const flag = {
  name: FLAG,
  variant: 'on',
  version: 1,
  by: 'ann',
  reason: 'start',
  latched: false,
  changedAt: '',
};
const running: RolloutView = { ...NO_ROLLOUT.current(), readAt: 1, experiments: [experiment], flags: [flag] };

const parcel = (contents: string) => ({ payload: { parcel: { contents, sidesCm: [120, 20, 10] } } });
const answer = { size: 'large', confidence: 0.8, why: 'A lamp of that length is bulky.' };

describe('the arms of an A/B experiment', () => {
  let view: RolloutView = running;
  let world: World;
  const sent: VerdictMessage[] = [];
  beforeAll(async () => {
    world = await inlineWorld(
      answeringModel(JSON.stringify(answer)),
      {},
      [...kinds, defineKind({ playbook: parcelSize })],
      {
        current: () => view,
      },
    );
    const { queue } = world.platform;
    const publish = queue.publishVerdicts.bind(queue);
    queue.publishVerdicts = async (messages) => {
      sent.push(...messages);
      await publish(messages);
    };
  });
  afterAll(async () => world.close());

  const judgeParcel = async (contents: string) => {
    const caseDocument = await world.ended((await world.accept(parcel(contents))).caseId);
    const [run] = caseDocument.runs;
    if (run === undefined) throw new Error('the case has no run');
    return { caseId: caseDocument.id, run };
  };

  it('are frozen in the run, judge it, and stand on the verdict and on the queue (S4-51, S4-56)', async () => {
    const runs = await Promise.all(Array.from({ length: 12 }, (_, i) => judgeParcel(`lamp ${i}`)));
    const arms = runs.map(({ run }) => run.settings.experiment?.arm);
    expect(new Set(arms)).toEqual(new Set(['control', 'rules']));
    for (const { run } of runs) {
      const arm = run.settings.experiment?.arm;
      expect(run.settings.flag).toMatchObject({ flag: FLAG, variant: arm, reason: 'SPLIT', version: 1 });
      expect(run.verdict?.experiment).toEqual({ id: ID, arm });
      expect(run.verdict?.method).toBe(arm === 'rules' ? 'heuristic' : 'llm');
      const delivered = () => sent.find(({ runId }) => runId === run.id);
      await until('the verdict is delivered', async () => delivered() !== undefined);
      expect(delivered()?.verdict.experiment).toEqual({ id: ID, arm });
    }
  });

  it('are replayed as they were frozen, also after the experiment (S4-57)', async () => {
    const { caseId, run } = await judgeParcel('a chair');
    view = NO_ROLLOUT.current();
    const { runId } = await world.platform.rerun.open(caseId, { lane: 'replay' });
    const { runs } = await world.ended(caseId);
    const replay = runs.find(({ id }) => id === runId);
    expect(replay?.settings.experiment).toEqual(run.settings.experiment);
    expect({ ...replay?.verdict, decidedAt: '' }).toEqual({ ...run.verdict, decidedAt: '' });
    expect((await judgeParcel('a table')).run.settings).not.toHaveProperty('experiment');
    view = running;
  });

  it('are none for a run accepted while the flag is off; an accepted run keeps its arm (S4-52)', async () => {
    view = { ...running, experiments: [{ ...experiment, share: 1 }] };
    const before = await world.accept(parcel('a sofa'));
    view = { ...view, flags: [{ ...flag, variant: 'off', version: 2 }] };
    const off = await judgeParcel('a sofa');
    expect(off.run.settings).toMatchObject({
      strategy: 'single-shot',
      flag: { reason: 'DISABLED', version: 2 },
    });
    expect(off.run.verdict).not.toHaveProperty('experiment');
    const { runs } = await world.ended(before.caseId);
    expect(runs[0]).toMatchObject({ verdict: { method: 'heuristic', experiment: { arm: 'rules' } } });
    view = running;
  });

  it('are none for a measurement, which measures what is in force', async () => {
    const { caseId } = await world.accept(parcel('a measured lamp'), { dataset: 'set' });
    const { runs } = await world.ended(caseId);
    expect(runs[0]?.settings).not.toHaveProperty('flag');
  });
});
