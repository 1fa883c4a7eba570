import fc from 'fast-check';
import {
  HINTS,
  hiddenTask,
  noiseOf,
  PLAIN_TEXT,
  simulatedPlan,
  simulatedResult,
  simulateEvolution,
  statusScore,
} from '../testing/simulated-evolution.js';
import { casesBehind, applyResult, finishEvolution, nextStep, startEvolution } from './gepa.js';
import { paretoWins, pairedInterval } from './scores.js';
import { splitCases } from './evolution-state.js';

const seeds = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('S4-54 S4-61 prompt evolution of simulated models', () => {
  it('finds a hidden instruction within 120 evaluations in at least 4 of 5 tasks', () => {
    const found = seeds(5).filter((seed) => {
      const { state, report } = simulateEvolution(hiddenTask(seed), simulatedPlan(seed));
      expect(state.evaluations).toBeLessThanOrEqual(120);
      const text = state.candidates[report.best]!.text;
      return report.result === 'improved' && text.includes(HINTS[seed % HINTS.length]!);
    });
    expect(found.length).toBeGreaterThanOrEqual(4);
  });

  it('promotes nothing if the objective does not depend on the text', () => {
    const constant = { ...hiddenTask(1), score: () => 0.5 };
    for (const seed of seeds(5))
      expect(simulateEvolution(constant, simulatedPlan(seed)).report).toMatchObject({
        result: 'no_improvement_on_validation',
        best: 0,
        heldOut: [],
      });
  });

  it('reports no improvement on held-out cases for shuffled labels in at least 18 of 20', () => {
    const honest = seeds(20).filter((seed) => {
      const task = hiddenTask(seed);
      const score = (text: string, id: string, draw: number) => (noiseOf(seed, text, id, draw) < 0.5 ? 1 : 0);
      const { report } = simulateEvolution({ ...task, score }, simulatedPlan(seed, 60, 400));
      return report.result !== 'improved';
    });
    expect(honest.length).toBeGreaterThanOrEqual(18);
  });
});

describe('the loop of an evolution', () => {
  const plans = fc.record({
    seed: fc.integer({ min: 1, max: 10_000 }),
    cases: fc.integer({ min: 20, max: 60 }),
    most: fc.integer({ min: 30, max: 300 }),
  });

  it('S4-61 never exceeds its evaluations by more than the first pass, and uses held-out cases at the end alone', () => {
    fc.assert(
      fc.property(plans, ({ seed, cases, most }) => {
        const plan = simulatedPlan(seed, cases, most);
        const { state, steps } = simulateEvolution(hiddenTask(seed), plan);
        expect(state.evaluations).toBeLessThanOrEqual(Math.max(most, 2 * plan.validation.length));
        const touches = steps.map(
          (step) => step.kind === 'evaluate' && step.cases.some((id) => plan.heldOut.includes(id)),
        );
        const first = touches.indexOf(true);
        if (first >= 0) expect(touches.slice(first).every(Boolean)).toBe(true);
        expect(touches.filter(Boolean).length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 40 },
    );
  });

  it('S4-61 gives the same lineage after it was written down and read again at any step', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 0, max: 60 }), ({ seed, cases, most }, at) => {
        const task = hiddenTask(seed);
        const plan = simulatedPlan(seed, cases, most);
        let state = startEvolution(plan, PLAIN_TEXT);
        for (let n = 0; ; n += 1) {
          const step = nextStep(state);
          if (step.kind === 'done') break;
          state = applyResult(state, step, simulatedResult(task, state, step));
          if (n === at) state = JSON.parse(JSON.stringify(state)) as typeof state;
        }
        expect(state).toEqual(simulateEvolution(task, plan).state);
      }),
      { numRuns: 20 },
    );
  });

  it('S4-61 names the training cases that led to each text, with those of the texts it was made from', () => {
    const plan = simulatedPlan(3, 60, 300);
    const { state, steps } = simulateEvolution(hiddenTask(3), plan);
    const reflected = new Map(
      steps.flatMap((step) => (step.kind === 'reflect' ? [[step.round, step.cases] as const] : [])),
    );
    expect(state.candidates.length).toBeGreaterThan(3);
    for (const [index, { parent, round }] of state.candidates.entries()) {
      const before = parent === null ? [] : casesBehind(state, parent);
      const own = parent === null ? [] : reflected.get(round)!;
      expect(casesBehind(state, index)).toEqual([...new Set([...before, ...own])]);
      expect(casesBehind(state, index).every((id) => plan.train.includes(id))).toBe(true);
    }
  });

  it('S4-61 evaluates no candidate twice on a case', () => {
    const { steps } = simulateEvolution(hiddenTask(3), simulatedPlan(3, 60, 300));
    const all = steps.flatMap((step) =>
      step.kind === 'evaluate'
        ? step.cases.map((id) => `${step.candidate} ${step.repeat} ${id}`)
        : step.kind === 'inject'
          ? step.messages.map((id) => `${step.candidate} injected ${id}`)
          : [],
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('keeps only texts that exceed their parent by more than the noise', () => {
    const task = { ...hiddenTask(2), score: (_: string, id: string, draw: number) => noiseOf(id, draw) };
    const { state } = simulateEvolution(task, simulatedPlan(2, 60, 400));
    expect(state.candidates.length).toBeGreaterThan(3);
    expect(state.candidates.slice(1).every((one) => one.state === 'not_better')).toBe(true);
  });

  it('drops a candidate whose runs end without a verdict', () => {
    const plan = simulatedPlan(4, 60, 400);
    const task = hiddenTask(4);
    let state = startEvolution(plan, PLAIN_TEXT);
    for (let step = nextStep(state); step.kind !== 'done'; step = nextStep(state)) {
      const result = simulatedResult(task, state, step);
      const missed =
        step.kind === 'evaluate' && step.candidate > 0
          ? step.cases.map((id) => [id, { ...statusScore(0), score: null }] as const)
          : null;
      state = applyResult(
        state,
        step,
        missed === null ? result : { kind: 'scores', scores: Object.fromEntries(missed) },
      );
    }
    expect(new Set(state.candidates.slice(1).map((one) => one.state))).toEqual(new Set(['missed']));
  });

  it('S4-61 refuses a text that follows an injected message which its parent does not follow', () => {
    const task = hiddenTask(1);
    const hidden = HINTS[1]!;
    const plan = simulatedPlan(1, 60, 400);
    const { id } = plan.injected[3]!;
    const honest = simulateEvolution(task, plan);
    expect(honest.report.result).toBe('improved');
    expect(honest.state.candidates.some(({ state }) => state === 'refused')).toBe(false);
    const follows = (text: string, message: string) => text.includes(hidden) && message === id;
    const { state, report, steps } = simulateEvolution({ ...task, follows }, plan);
    const refused = state.candidates.filter((one) => one.state === 'refused');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.reason).toBe(
      `its answers follow an injected message that its parent does not follow: ${id}`,
    );
    expect(state.candidates[report.best]!.text).not.toContain(hidden);
    const asked = steps.flatMap((step) => (step.kind === 'inject' ? [step.candidate] : []));
    expect(asked[0]).toBe(0);
    for (const [index, one] of state.candidates.entries())
      expect(asked.includes(index)).toBe(Object.keys(one.follows).length > 0);
    // A message that the live text follows as well is no reason.
    const both = simulateEvolution({ ...task, follows: (_, message) => message === id }, plan);
    expect(both.state.candidates.map((one) => one.state)).toEqual(
      honest.state.candidates.map((one) => one.state),
    );
  });

  it('S4-61 drops a text without a usable answer to injected messages that its parent answers', () => {
    const plan = simulatedPlan(1, 60, 400);
    let state = startEvolution(plan, PLAIN_TEXT);
    for (let step = nextStep(state); step.kind !== 'done'; step = nextStep(state)) {
      const result = simulatedResult(hiddenTask(1), state, step);
      const missed =
        step.kind === 'inject' && step.candidate > 0 ? step.messages.map((id) => [id, null] as const) : null;
      state = applyResult(
        state,
        step,
        missed === null ? result : { kind: 'follows', follows: Object.fromEntries(missed) },
      );
    }
    const asked = state.candidates.slice(1).filter((one) => Object.keys(one.follows).length > 0);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map((one) => one.state))).toEqual(new Set(['missed']));
  });

  it('names the reason of a refused text, and asks for no other after five in a row', () => {
    const plan = simulatedPlan(5, 40, 400);
    let state = startEvolution(plan, PLAIN_TEXT);
    let refused = 0;
    for (let step = nextStep(state); step.kind !== 'done'; step = nextStep(state)) {
      const result = simulatedResult(hiddenTask(5), state, step);
      if (result.kind === 'text') refused += 1;
      state = applyResult(state, step, result.kind === 'text' ? { ...result, refused: 'copied' } : result);
    }
    expect(refused).toBe(5);
    expect(state.candidates.slice(1).every((one) => one.reason === 'copied')).toBe(true);
  });

  it('ends with the best text when it must finish', () => {
    const task = hiddenTask(1);
    const plan = simulatedPlan(1, 60, 400);
    let state = startEvolution(plan, PLAIN_TEXT);
    while (state.candidates.length < 4) {
      const step = nextStep(state);
      state = applyResult(state, step, simulatedResult(task, state, step));
    }
    const { length } = state.candidates;
    state = finishEvolution(state);
    for (let step = nextStep(state); step.kind !== 'done'; step = nextStep(state))
      state = applyResult(state, step, simulatedResult(task, state, step));
    expect(state.candidates).toHaveLength(length);
  });

  it('counts the cases that each candidate wins, without dominated ones', () => {
    const plan = { ...simulatedPlan(1), validation: ['a', 'b', 'c'] };
    const candidate = (a: number, b: number, c: number) => ({
      text: `${a} ${b} ${c}`,
      parent: 0,
      round: 0,
      state: 'kept' as const,
      reason: null,
      scores: { a: statusScore(a), b: statusScore(b), c: statusScore(c) },
      follows: {},
    });
    const state = {
      ...startEvolution(plan, ''),
      candidates: [candidate(0.5, 0.5, 0), candidate(1, 0, 0), candidate(0, 1, 1)],
    };
    expect([...paretoWins(state)]).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
});

describe('splitCases', () => {
  const labelled = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ caseId: `c${i}`, label: i % 3 === 0 ? 'a' : 'b' }));

  it('S4-61 refuses fewer than 20 labelled cases, with the number missing', () => {
    expect(() => splitCases(labelled(13), 1)).toThrow(/found 13: 7 are missing/);
    expect(() => splitCases([...labelled(19), { caseId: 'c0', label: 'b' }], 1)).toThrow(/1 are missing/);
  });

  it('S4-61 puts each case into one set, the labels evenly, whatever the order of the cases', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 1, max: 99 }), (count, seed) => {
        const cases = labelled(count);
        const split = splitCases(cases, seed);
        const all = [...split.train, ...split.validation, ...split.heldOut];
        expect(all.sort()).toEqual(cases.map(({ caseId }) => caseId).sort());
        expect(split.heldOut.length).toBeGreaterThanOrEqual(Math.floor(count * 0.3) - 1);
        expect(splitCases([...cases].reverse(), seed)).toEqual(split);
        const a = split.validation.filter((id) => Number(id.slice(1)) % 3 === 0).length;
        expect(a / split.validation.length).toBeGreaterThan(0.15);
      }),
    );
  });
});

describe('pairedInterval', () => {
  it('has the values of a table of Student’s t', () => {
    // Differences of standard deviation 1 and mean 0: the half width is t / sqrt(n).
    const t = (n: number) => {
      const half = Math.sqrt((n - 1) / n);
      const values = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? half : -half));
      return pairedInterval(values)!.high * Math.sqrt(n);
    };
    for (const [df, value] of [
      [5, 2.571],
      [9, 2.262],
      [19, 2.093],
      [29, 2.045],
    ] as const)
      expect(t(df + 1)).toBeCloseTo(value, 2);
    expect(pairedInterval([1])).toBeNull();
  });
});
