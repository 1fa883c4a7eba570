import type { ClaimedWork } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { aQuestion } from '../models/testing/journal-bench.js';
import { HandedOn, type Begun } from './handed-on.js';
import { namesOf, threeStages, type Run } from './testing/three-stages.js';

const onRecord = testRecord();
const ALL = ['first', 'second', 'last'];
const lastAsks: Run = async (_input, { model }) => void (await model.call(1, aQuestion, null));

describe('HandedOn', () => {
  const begun = (runId: string): Begun => ({
    work: { lease: { runId, unit: '', stage: 'reason', round: 1, epoch: 2 } } as ClaimedWork,
    known: new Map(),
  });
  const key = (runId: string) => ({ runId, unit: '', stage: 'reason', round: 1 });

  it('gives each unit out once, and to its own stage and round only', () => {
    const handedOn = new HandedOn(() => 0);
    handedOn.keep(begun('a'));
    expect(handedOn.take({ ...key('a'), round: 2 })).toBeNull();
    expect(handedOn.take({ ...key('a'), stage: 'decide' })).toBeNull();
    expect(handedOn.take(key('a'))).toMatchObject({ work: { lease: { runId: 'a' } } });
    expect(handedOn.take(key('a'))).toBeNull();
  });

  it('keeps 500 units at most, and lets go of those whose jobs have not come for 10 s', () => {
    const clock = manualClock();
    const handedOn = new HandedOn(() => clock.now());
    for (let i = 0; i < 501; i += 1) handedOn.keep(begun(`${i}`));
    expect(handedOn.take(key('500'))).toBeNull();
    clock.advance(10_000);
    handedOn.keep(begun('new'));
    expect([handedOn.take(key('499')), handedOn.take(key('new'))]).toMatchObject([null, {}]);
  });
});

describe('a stage whose job comes back to the process that made it due', () => {
  it('begins from memory: no claim, and what it reads is as it would be read back', async () => {
    const read: unknown[] = [];
    const last: Run = async ({ artifacts, units }) => void read.push(artifacts, units);
    const { begin, handle, record, claims, sent, commits } = await threeStages(onRecord(), {
      hosts: ALL,
      runs: { last },
    });
    await begin();
    expect(sent).toMatchObject([{ kind: 'stage', stage: 'last' }]);
    await handle('last');
    expect([claims, commits.length]).toEqual([['first'], 2]);
    const inMemory = {
      report: { title: 't', markdown: 'm\u2400', citations: [] },
      review: { ruling: 'PASS', findings: [], reviewer: 'test' },
    };
    expect(read).toEqual([inMemory, [{ unit: '', artifacts: inMemory }]]);
    expect((await record()).status).toBe('decided');
  });

  it('R5 is claimed by another process that takes its job, which ends the right of what is kept here', async () => {
    const set = { hosts: ALL, runs: { last: lastAsks } };
    const made = onRecord();
    const here = await threeStages(made, set);
    const there = await threeStages(made, set);
    await here.begin();
    await there.handle('last');
    await here.handle('last');
    expect([there.claims, there.delivered.length, here.delivered.length]).toEqual([['last'], 1, 0]);
    const { artifacts, interactions } = await here.record();
    expect([namesOf(artifacts), interactions.length]).toEqual([['report', 'review', 'verdict'], 1]);
  });

  it('R5 lets one of two processes write that began the same stage', async () => {
    const made = onRecord();
    const there = await threeStages(made, { hosts: ALL });
    const here = await threeStages(made, { hosts: ALL, runs: { last: () => there.handle('last') } });
    await here.begin();
    await here.handle('last');
    expect([there.delivered.length, here.delivered.length]).toEqual([1, 0]);
    expect(namesOf((await here.record()).artifacts)).toEqual(['report', 'review', 'verdict']);
  });

  it('R3 claims the stage with its intent, before anything is paid, and holds it while it waits', async () => {
    const seen: unknown[] = [];
    const made = onRecord();
    const other = await threeStages(made, { hosts: ALL });
    const last: Run = async (_input, { model }) => {
      await model.call(1, aQuestion, null);
      await made.passTime(5_000);
      await other.handle('last');
      const { units, interactions } = await here.record();
      seen.push(units[0]?.status, interactions.length, other.asked);
    };
    const here = await threeStages(made, { hosts: ALL, runs: { last } });
    await here.begin();
    await here.handle('last');
    expect(seen).toEqual(['running', 1, []]);
    expect((await here.record()).status).toBe('decided');
  });

  it('R14 is claimed, and counts as crashed, where its job was begun before', async () => {
    const crashes: number[] = [];
    const last: Run = async (input) => void crashes.push((input as ClaimedWork).crashes);
    const { begin, handle, claims } = await threeStages(onRecord(), { hosts: ALL, runs: { last } });
    await begin();
    await handle('last', true);
    expect([claims, crashes]).toEqual([['first', 'last'], [1]]);
  });

  it('R17 is due as before when the process is told to stop before its first write', async () => {
    const last: Run = async (_input, _ports, executor) => {
      executor.stop();
      throw new Error('cut off');
    };
    const { begin, handle, record, sent } = await threeStages(onRecord(), { hosts: ALL, runs: { last } });
    await begin();
    await handle('last');
    const { units } = await record();
    expect(units[0]).toMatchObject({ stage: 'last', status: 'due' });
    expect(sent.map((nudge) => 'stage' in nudge && nudge.stage)).toEqual(['last', 'last']);
  });

  it('counts a failure of its stage, and then claims it like any other', async () => {
    let tries = 0;
    const last: Run = async () => {
      tries += 1;
      if (tries === 1) throw new Error('once');
    };
    const { begin, handle, record, claims, passTime, store } = await threeStages(onRecord(), {
      hosts: ALL,
      runs: { last },
    });
    await begin();
    await handle('last');
    expect((await record()).units[0]).toMatchObject({ stage: 'last', status: 'due' });
    await passTime(600_000);
    await store.units.renudge(await store.units.sweep(10));
    await handle('last');
    expect([claims, (await record()).status]).toEqual([['first', 'last'], 'decided']);
  });
});
