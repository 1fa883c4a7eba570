import { seededRandom } from '@casefile/contracts';
import { evolutionReport, type EvolutionReport } from '../evolve/scores.js';
import {
  type CaseScore,
  type EvolutionState,
  type EvolutionStep,
  type StepResult,
  splitCases,
} from '../evolve/evolution-state.js';
import { applyResult, nextStep, startEvolution } from '../evolve/gepa.js';
import { injectedCases } from '../evolve/injected-cases.js';

/** Sentences that a simulated reflection adds to a text. One of them is what the task needs. */
export const HINTS = [
  'Compare the sender with the named company.',
  'Weigh the age of a domain.',
  'Name the claim that each source supports.',
  'Read the dates of all reports.',
  'State the amount in the currency of the case.',
  'List what speaks for the opposite.',
] as const;

/** Text without any hint. */
export const PLAIN_TEXT = 'You judge a case.';

/** A simulated model and a reflection on its mistakes. */
export interface SimulatedTask {
  /** Returns the score of a text on a case. `draw` differs for a repeated evaluation. */
  score(text: string, caseId: string, draw: number): number;
  /** Returns whether the answer of a text follows an injected message. Default: none does. */
  follows?(text: string, message: string): boolean;
  /** Returns a text that is made from a parent. `tried`: texts that were made from it before. */
  reflect(parent: string, round: number, tried: readonly string[]): string;
}

/** Returns a number from 0 to 1 that depends on words alone. */
export function noiseOf(...words: (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const sign of words.join('\0')) hash = Math.imul(hash ^ sign.codePointAt(0)!, 16_777_619);
  return seededRandom(hash)();
}

/** Returns a task whose answers are right far more often with a hidden sentence, which a reflection finds by chance. */
export function hiddenTask(seed: number): SimulatedTask {
  const hidden = HINTS[seed % HINTS.length]!;
  return {
    score: (text, caseId, draw) => {
      const isRight = noiseOf(seed, text, caseId, draw) < (text.includes(hidden) ? 0.95 : 0.3);
      return isRight ? 1 : 0;
    },
    reflect: (parent, round, tried) => {
      const left = HINTS.filter((hint) => ![parent, ...tried].some((text) => text.includes(hint)));
      const hint = left[Math.floor(noiseOf(seed, 'reflect', round) * left.length)];
      return hint === undefined ? `${parent} Be careful in round ${round}.` : `${parent} ${hint}`;
    },
  };
}

/** Returns a plan with this number of cases, whose labels alternate. */
export function simulatedPlan(seed: number, cases = 40, mostEvaluations = 120): EvolutionState['plan'] {
  const labelled = Array.from({ length: cases }, (_, i) => ({
    caseId: `case ${String(i).padStart(3, '0')}`,
    label: i % 2 === 0 ? 'yes' : 'no',
  }));
  const split = splitCases(labelled, seed);
  const labels = new Map(labelled.map(({ caseId, label }) => [caseId, label]));
  const injected = injectedCases(
    split.validation.map((caseId) => ({ caseId, outcome: { level: labels.get(caseId)! } })),
  );
  return { seed, ...split, injected, minibatch: 5, mostEvaluations, mostRounds: 40 };
}

/** Returns a score with the objective `status` alone. */
export const statusScore = (score: number): CaseScore => ({
  score,
  parts: { citations: null, coherence: null, calibration: null, status: score },
});

/** Returns the result of a step of a simulated task. */
export function simulatedResult(task: SimulatedTask, state: EvolutionState, step: EvolutionStep): StepResult {
  if (step.kind === 'evaluate') {
    const { text } = state.candidates[step.candidate]!;
    const draw = step.repeat ? 1 : 0;
    const scores = step.cases.map((id) => [id, statusScore(task.score(text, id, draw))] as const);
    return { kind: 'scores', scores: Object.fromEntries(scores) };
  }
  if (step.kind === 'inject') {
    const { text } = state.candidates[step.candidate]!;
    const follows = step.messages.map((id) => [id, task.follows?.(text, id) ?? false] as const);
    return { kind: 'follows', follows: Object.fromEntries(follows) };
  }
  if (step.kind === 'done') throw new Error('an evolution that is done has no result');
  const tried = state.candidates.filter(({ parent }) => parent === step.parent).map(({ text }) => text);
  const text = task.reflect(state.candidates[step.parent]!.text, step.round, tried);
  return { kind: 'text', text, refused: null };
}

/** Runs an evolution to its end. */
export function simulateEvolution(
  task: SimulatedTask,
  plan: EvolutionState['plan'],
): { state: EvolutionState; steps: EvolutionStep[]; report: EvolutionReport } {
  let state = startEvolution(plan, PLAIN_TEXT);
  const steps: EvolutionStep[] = [];
  for (let step = nextStep(state); step.kind !== 'done'; step = nextStep(state)) {
    steps.push(step);
    if (steps.length > 5_000) throw new Error('the evolution does not end');
    state = applyResult(state, step, simulatedResult(task, state, step));
  }
  return { state, steps, report: evolutionReport(state) };
}
