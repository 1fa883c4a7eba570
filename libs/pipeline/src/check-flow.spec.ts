import { CasefileError, done } from '@casefile/contracts';
import { checkFlow } from './check-flow.js';
import { flow } from './flow.js';
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
