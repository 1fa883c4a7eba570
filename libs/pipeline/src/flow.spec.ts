import { CasefileError, done, revise, search } from '@casefile/contracts';
import { checkFlow, flow, handOn } from './flow.js';
import { defineStage, type StageSpec } from './stage.js';

type Spec = StageSpec<readonly [], readonly [], 'review', false, false>;

const review = { ruling: 'PASS' as const, findings: [], reviewer: 'test' };

describe('the flow', () => {
  it('is sound as it is', () => {
    expect(() => checkFlow(flow)).not.toThrow();
    expect(flow.map((stage) => stage.name)).toEqual([
      'triage',
      'collect',
      'reason',
      'critique',
      'write',
      'decide',
    ]);
  });

  it('refuses a stage that reads what no earlier stage has written, and says the mend', () => {
    const [triage, collect, reason, critique, write, decide] = flow;
    const wrong = [triage, collect, critique, reason, write, decide].map((stage) => stage!);
    expect(() => checkFlow(wrong)).toThrow(
      /"critique" reads "draft" before it is written: move it behind its author/,
    );
  });

  it('refuses two stages of one name, two authors of one artifact, and an end without a joined verdict', () => {
    const second = defineStage({
      name: 'critique',
      app: 'x',
      reads: [],
      appends: 'review',
      run: () => done(review),
    });
    const act = () => checkFlow([...flow, second]);
    expect(act).toThrow(CasefileError);
    expect(act).toThrow(
      /listed twice[\s\S]*two stages append "review"[\s\S]*must append the verdict[\s\S]*must join/,
    );
  });

  it('holds reads and shapes at compile time', () => {
    defineStage({
      name: 'x',
      app: 'x',
      reads: ['brief'],
      appends: 'review',
      run(input) {
        // @ts-expect-error the draft was not declared
        void input.draft;
        return done(review);
      },
    });
    const report = { title: '', markdown: '', citations: [] };
    // @ts-expect-error a report is not a review
    const run: Spec['run'] = () => done(report);
    expect(run).toBeDefined();
  });
});

const stage = (name: string) => flow.find((candidate) => candidate.name === name)!;
const at = { unit: '', round: 1, maxRounds: 3 };

describe('handOn', () => {
  it('goes to the next stage of the list in the same round', () => {
    expect(handOn(flow, stage('collect'), at, done({}))).toEqual({
      next: { stage: 'reason', round: 1 },
      joinStage: null,
      units: [],
    });
  });

  it('opens the next round at reason for a revision and at collect for a search', () => {
    expect(handOn(flow, stage('critique'), at, revise({}))?.next).toEqual({ stage: 'reason', round: 2 });
    expect(handOn(flow, stage('reason'), at, search({}))?.next).toEqual({ stage: 'collect', round: 2 });
  });

  it('continues as if done when the rounds are used up', () => {
    expect(handOn(flow, stage('critique'), { ...at, round: 3 }, revise({}))?.next).toEqual({
      stage: 'write',
      round: 3,
    });
  });

  it('opens units, and lets each wait at the stage that joins them', () => {
    const opened = handOn(flow, stage('triage'), at, done({}, ['c1', 'c2']));
    expect(opened).toEqual({
      next: { stage: 'collect', round: 1 },
      joinStage: 'write',
      units: ['c1', 'c2'],
    });
    expect(handOn(flow, stage('critique'), { ...at, unit: 'c1' }, done({}))).toEqual({
      next: null,
      joinStage: 'write',
      units: [],
    });
  });

  it('ends with the last stage', () => {
    expect(handOn(flow, stage('decide'), at, done({}))).toBeNull();
  });
});
