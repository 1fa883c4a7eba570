import { seededRandom, type ComparedRun, type ExperimentRun, type ExperimentRuns } from '@casefile/contracts';
import { compareArms, type ComparedExperiment } from './compare-arms.js';

const experiment = (over: Partial<ComparedExperiment> = {}): ComparedExperiment => ({
  mode: 'shadow',
  arms: [
    { name: 'control', settings: {} },
    { name: 'new', settings: {} },
  ],
  share: 1,
  margin: 0.03,
  expectedCases: 1_000,
  ...over,
});

let runs = 0;
function run(action: string, over: Partial<ComparedRun> = {}): ComparedRun {
  runs += 1;
  return {
    runId: `run ${runs}`,
    caseId: `case ${runs}`,
    status: 'decided',
    reasonCode: null,
    disposition: action === 'review' ? 'review' : 'act',
    action,
    confidence: 0.9,
    fallback: null,
    isOtherModel: false,
    cited: 2,
    supported: 2,
    rounds: 1,
    tokens: 100,
    costUsd: 0.01,
    latencyMs: 50,
    right: null,
    ...over,
  };
}
const shadow = (control: ComparedRun, action: string, over: Partial<ExperimentRun> = {}): ExperimentRun => ({
  ...run(action),
  caseId: control.caseId,
  arm: 'new',
  base: control,
  createdAt: '2026-01-05T10:00:00.000Z',
  ...over,
});
const share = (arm: string, over: Partial<ExperimentRun> = {}): ExperimentRun => ({
  ...run('act'),
  arm,
  base: null,
  createdAt: '2026-01-05T10:00:00.000Z',
  ...over,
});
const recorded = (all: ExperimentRun[], over: Partial<ExperimentRuns> = {}): ExperimentRuns => ({
  runs: all,
  costUsd: 0,
  unopened: [],
  sameShareSince: null,
  ...over,
});

/** Cohen's kappa by its definition, over labels instead of a matrix. */
function kappaByDefinition(pairs: readonly [string, string][]): number {
  const n = pairs.length;
  const share = (test: (pair: readonly [string, string]) => boolean) => pairs.filter(test).length / n;
  const labels = [...new Set(pairs.flat())];
  const chance = labels.reduce((sum, l) => sum + share(([a]) => a === l) * share(([, b]) => b === l), 0);
  return (share(([a, b]) => a === b) - chance) / (1 - chance);
}

describe('the comparison of a shadow experiment', () => {
  it('S4-55 finds a planted confusion matrix exactly, and kappa equals an independent computation', () => {
    const planted: Record<string, Record<string, number>> = {
      block: { block: 61, pass: 7, review: 2 },
      pass: { block: 3, pass: 112, review: 5 },
      review: { block: 1, pass: 4, review: 25 },
    };
    const pairs = Object.entries(planted).flatMap(([a, row]) =>
      Object.entries(row).flatMap(([b, n]) => Array<[string, string]>(n).fill([a, b])),
    );
    const random = seededRandom(4);
    const mixed = pairs.map((pair) => ({ pair, at: random() })).sort((one, two) => one.at - two.at);
    const all = mixed.map(({ pair: [a, b] }) => shadow(run(a), b));
    const { agreement, differingTotal, differing, sentence } = compareArms(experiment(), recorded(all));
    expect(agreement?.outcome.labels).toEqual(['block', 'pass', 'review']);
    expect(agreement?.outcome.counts).toEqual(Object.values(planted).map((row) => Object.values(row)));
    expect(agreement?.outcome.same).toMatchObject({ x: 198, n: 220 });
    expect(agreement?.outcome.kappa).toBeCloseTo(kappaByDefinition(pairs), 12);
    expect([differingTotal, differing.length]).toEqual([22, 22]);
    expect(sentence).toMatch(/^The arms decided 22 of 220 cases differently\. Not enough reviewed cases/);
  });

  it('S4-55 of equal verdicts says that there is no difference', () => {
    const all = ['block', 'pass', 'review'].map((action) => shadow(run(action), action));
    const { agreement, sentence, finding } = compareArms(experiment(), recorded(all));
    expect(agreement?.outcome).toMatchObject({ same: { x: 3, n: 3 }, kappa: 1 });
    expect(sentence).toMatch(/^No difference: both arms decided all 3 cases alike\./);
    expect(finding).toBe('not_enough');
  });

  it('S4-55 does not count a missing run as agreement, and compares nothing above 2 %', () => {
    const same = Array.from({ length: 97 }, () => shadow(run('pass'), 'pass'));
    const gone = (status: ExperimentRun['status'], reasonCode: string) =>
      shadow(run('pass'), 'pass', { status, reasonCode, disposition: null, action: null });
    const two = [...same, gone('parked', 'batch_budget'), gone('quarantined', 'server_error')];
    const first = compareArms(experiment(), recorded(two));
    expect(first.agreement?.outcome.same).toMatchObject({ x: 97, n: 97 });
    expect(first.missing).toMatchObject({ x: 2, n: 99 });
    expect(first.finding).toBe('not_comparable');
    const unopened = [{ reason: 'evidence_miss', cases: 1 }];
    const more = Array.from({ length: 200 }, () => shadow(run('pass'), 'pass'));
    const third = compareArms(experiment(), recorded([...two, ...more], { unopened }));
    expect(third.missing).toMatchObject({ x: 3, n: 300 });
    expect(third.missing.reasons).toContainEqual({ reason: 'evidence_miss', cases: 1 });
    expect(third.finding).toBe('not_enough');
    const due = compareArms(experiment(), recorded([...more, gone('due', '')]));
    expect([due.underWay, due.missing.x]).toEqual([1, 0]);
  });

  it('S4-56 recommends by labels alone, and lists the worst cases first', () => {
    const all: ExperimentRun[] = [];
    const add = (n: number, control: boolean, changed: boolean) => {
      for (let i = 0; i < n; i += 1) {
        const base = run('pass', { right: control });
        all.push(shadow(base, control === changed ? 'pass' : 'block', { right: changed }));
      }
    };
    add(900, true, true);
    add(40, false, true);
    add(10, true, false);
    const { finding, difference, differing, moreCases } = compareArms(experiment(), recorded(all));
    expect(finding).toBe('at_least_as_good');
    expect(moreCases).toBe(0);
    expect(difference).toMatchObject({ reviewed: 950 });
    expect(difference.value).toBeCloseTo(30 / 950, 12);
    expect(differing[0]?.right).toBe('control');
    const unlabelled = all.map((one) => ({ ...one, right: null, base: { ...one.base!, right: null } }));
    expect(compareArms(experiment(), recorded(unlabelled)).finding).toBe('not_enough');
  });

  it('S4-55 shows the control judged again apart from the new arm', () => {
    const base = run('pass');
    const again = shadow(base, 'block', { arm: 'control' });
    const { noise, agreement } = compareArms(experiment(), recorded([shadow(base, 'pass'), again]));
    expect(noise?.outcome.same).toMatchObject({ x: 0, n: 1 });
    expect(agreement?.outcome.same).toMatchObject({ x: 1, n: 1 });
  });
});

describe('the comparison of an A/B experiment', () => {
  const ab = (over: Partial<ComparedExperiment> = {}) =>
    experiment({ mode: 'ab', share: 0.5, margin: 0.05, expectedCases: 2_000, ...over });

  it('S4-56 counts a case once, by its first run, and says how many cases are still needed', () => {
    const all = [share('new', { caseId: 'one', right: true }), share('new', { caseId: 'one', right: false })];
    const { arms, moreCases, finding } = compareArms(ab(), recorded(all));
    expect(arms.map(({ cases }) => cases)).toEqual([0, 1]);
    expect(arms[1]?.right).toMatchObject({ x: 1, n: 1 });
    expect([finding, moreCases]).toEqual(['not_enough', 200]);
    expect(compareArms(ab(), recorded([])).finding).toBe('running');
  });

  it('S4-56 does not compare arms whose counts do not fit the share', () => {
    const of = (control: number, changed: number) => [
      ...Array.from({ length: control }, () => share('control')),
      ...Array.from({ length: changed }, () => share('new')),
    ];
    const mixed = (all: ExperimentRun[]) => {
      const random = seededRandom(1);
      return all
        .map((one) => ({ one, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one);
    };
    const fits = compareArms(ab(), recorded(mixed(of(210, 190))));
    expect(fits.sampleRatio).toMatchObject({ cases: [210, 190], checkedAt: 400, fits: true });
    const skewed = compareArms(ab(), recorded(mixed(of(260, 140))));
    expect(skewed.sampleRatio).toMatchObject({ fits: false });
    expect(skewed.finding).toBe('not_comparable');
    // Cases from before the last change of the share are not checked.
    const since = '2026-01-06T00:00:00.000Z';
    const earlier = compareArms(ab(), recorded(of(260, 140), { sameShareSince: since }));
    expect(earlier.sampleRatio).toMatchObject({ cases: [0, 0], checkedAt: null, fits: true });
  });

  it('S4-51 reports outcomes, errors, fallbacks and means per arm', () => {
    const all = [
      share('new', { fallback: 'timeout', tokens: 100 }),
      share('new', { isOtherModel: true, tokens: 200, cited: 4, supported: 1 }),
      share('new', { fallback: 'no_provider', tokens: 300, action: 'review', disposition: 'review' }),
      share('new', { status: 'quarantined', reasonCode: 'server_error', disposition: null, action: null }),
      share('new', { status: 'due', disposition: null, action: null }),
    ];
    const [, changed] = compareArms(ab(), recorded(all)).arms;
    expect(changed).toMatchObject({
      cases: 3,
      errors: { x: 1, n: 4 },
      fallbacks: { x: 2, n: 3 },
      abstentions: { x: 1, n: 3 },
      citations: { x: 5, n: 8 },
      tokens: { n: 3, mean: 200 },
    });
    expect(changed?.outcomes.map(({ value, x }) => [value, x])).toEqual([
      ['act', 2],
      ['review', 1],
    ]);
    expect(changed?.tokens.low).toBeCloseTo(200 - (1.959964 * 100) / Math.sqrt(3), 3);
  });
});
