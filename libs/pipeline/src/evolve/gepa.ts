import { seededRandom, type EvolutionEntry } from '@casefile/contracts';
import {
  type CaseScore,
  type EvolutionCandidate,
  type EvolutionPlan,
  type EvolutionState,
  type EvolutionStep,
  type StepResult,
  shuffled,
} from './evolution-state.js';
import { comparedOnInjected, injectedStep } from './injected-cases.js';
import {
  EQUAL,
  evaluationNoise,
  bestCandidate,
  paretoWins,
  isKnown,
  missedShare,
  MOST_MISSED,
  mean,
} from './scores.js';

// GEPA: reflective prompt evolution with a Pareto front per case, without merging. Source: Agrawal et al.,
// arXiv 2507.19457, algorithms 1 and 2. The loop is data and two functions, so that each evaluation and each
// reflection can be a recorded run, and a restarted process continues where the record ends.

/** Cases that are scored twice with the live text. */
const MOST_REPEATS = 8;
/** Rounds that are looked ahead for a minibatch on which the parent is not perfect already. */
const LOOKED_AHEAD = 20;
/** Texts refused in a row after which no further one is asked for: each costs a reflection. */
const MOST_REFUSED = 5;

/** Returns the state of an evolution that starts with this text. */
export function startEvolution(plan: EvolutionPlan, text: string): EvolutionState {
  const live: EvolutionCandidate = {
    text,
    parent: null,
    round: 0,
    state: 'kept',
    reason: null,
    scores: {},
    follows: {},
  };
  return {
    plan,
    candidates: [live],
    repeats: {},
    round: 0,
    evaluations: 0,
    comparing: null,
    finishing: false,
  };
}

/** Returns the work that is needed next. Equal states give equal steps. */
export function nextStep(state: EvolutionState): EvolutionStep {
  const { plan, candidates, comparing, repeats } = state;
  if (!isKnown(candidates[0]!, plan.validation)) return evaluate(state, 0, plan.validation);
  const again = plan.validation.slice(0, MOST_REPEATS).filter((id) => !Object.hasOwn(repeats, id));
  if (again.length > 0) return { kind: 'evaluate', candidate: 0, cases: again, repeat: true };
  const last = candidates.length - 1;
  if (comparing !== null) return evaluate(state, last, comparing.cases);
  if (candidates[last]!.state === 'kept' && !isKnown(candidates[last]!, plan.validation))
    return evaluate(state, last, plan.validation);
  const injected = injectedStep(state);
  if (injected !== null) return injected;
  const round = hasRoom(state) ? nextRound(state) : null;
  if (round !== null && !isKnown(candidates[round.parent]!, round.cases))
    return evaluate(state, round.parent, round.cases);
  return round === null ? finalStep(state) : { kind: 'reflect', ...round };
}

/** Returns the state after a step of `nextStep`. @throws RangeError if the result does not answer the step. */
export function applyResult(state: EvolutionState, step: EvolutionStep, result: StepResult): EvolutionState {
  if (step.kind === 'evaluate' && result.kind === 'scores') {
    const missing = step.cases.filter((id) => !Object.hasOwn(result.scores, id));
    if (missing.length > 0) throw new RangeError(`expected the scores of the cases ${missing.join(', ')}`);
    return withScores(state, step, result.scores);
  }
  if (step.kind === 'inject' && result.kind === 'follows') return withFollows(state, step, result.follows);
  if (step.kind === 'reflect' && result.kind === 'text') return withText(state, step, result);
  throw new RangeError(`a step of the kind ${step.kind} has no result of the kind ${result.kind}`);
}

/** Returns the state in which no further text is proposed. A comparison that is under way ends first. */
export function finishEvolution(state: EvolutionState): EvolutionState {
  return { ...state, finishing: true };
}

/**
 * Returns whether the rest of the budget is needed for the held-out cases: a further round with its full evaluation
 * would not leave enough. Without a kept text there is nothing to evaluate there. Costs are counted per evaluation,
 * with reflections included.
 */
export function mustFinish(
  { costUsd, budgetUsd }: Pick<EvolutionEntry, 'costUsd' | 'budgetUsd'>,
  { plan, evaluations, candidates }: EvolutionState,
): boolean {
  if (evaluations === 0 || !candidates.some(({ parent, state }) => parent !== null && state === 'kept'))
    return false;
  const injected = candidates.reduce((sum, { follows }) => sum + Object.keys(follows).length, 0);
  const perEvaluation = costUsd / (evaluations + injected);
  const round = 2 * plan.minibatch + plan.validation.length + plan.injected.length;
  return costUsd + perEvaluation * (round + 2 * plan.heldOut.length) > budgetUsd;
}

function evaluate(state: EvolutionState, candidate: number, cases: readonly string[]): EvolutionStep {
  const { scores } = state.candidates[candidate]!;
  return {
    kind: 'evaluate',
    candidate,
    cases: cases.filter((id) => !Object.hasOwn(scores, id)),
    repeat: false,
  };
}

/** The held-out cases are evaluated once, at the end, for the best candidate and the live text. */
function finalStep(state: EvolutionState): EvolutionStep {
  const { heldOut } = state.plan;
  const best = bestCandidate(state);
  if (best === 0) return { kind: 'done' };
  for (const index of [0, best])
    if (!isKnown(state.candidates[index]!, heldOut)) return evaluate(state, index, heldOut);
  return { kind: 'done' };
}

/** Returns whether another round and the held-out cases fit the number of evaluations. */
function hasRoom({ plan, round, evaluations, finishing, candidates }: EvolutionState): boolean {
  const { minibatch, validation, heldOut, mostEvaluations, mostRounds } = plan;
  const needed = 2 * minibatch + validation.length + 2 * heldOut.length;
  const last = candidates.slice(-MOST_REFUSED);
  if (last.length === MOST_REFUSED && last.every(({ state }) => state === 'refused')) return false;
  return !finishing && round < mostRounds && evaluations + needed <= mostEvaluations;
}

/**
 * Returns parent and cases of the next round. A minibatch on which the parent is perfect teaches nothing, so its round
 * is skipped. null: all rounds ahead are of that kind.
 */
function nextRound(
  state: EvolutionState,
): { round: number; parent: number; cases: readonly string[] } | null {
  const wins = paretoWins(state);
  for (let round = state.round; round < state.round + LOOKED_AHEAD; round += 1) {
    const random = seededRandom(state.plan.seed * 100_003 + round);
    const parent = drawWeighted(wins, random);
    const cases = minibatchCases(state.plan, round);
    const { scores } = state.candidates[parent]!;
    if (cases.some((id) => (scores[id]?.score ?? 0) < 1 - EQUAL)) return { round, parent, cases };
  }
  return null;
}

/**
 * Returns the training cases whose judgements led to a text: those of its own round, and of the rounds of the texts that
 * it was made from, the oldest first. Of the live text, none.
 */
export function casesBehind(state: Pick<EvolutionState, 'plan' | 'candidates'>, candidate: number): string[] {
  const { parent, round } = state.candidates[candidate]!;
  if (parent === null) return [];
  return [...new Set([...casesBehind(state, parent), ...minibatchCases(state.plan, round)])];
}

/** The training cases are shuffled for each pass over them. */
function minibatchCases({ train, minibatch, seed }: EvolutionPlan, round: number): readonly string[] {
  const size = Math.min(minibatch, train.length);
  const perPass = Math.max(1, Math.floor(train.length / size));
  const pass = Math.floor(round / perPass);
  const from = (round % perPass) * size;
  return shuffled(train, seededRandom(seed * 7_919 + pass)).slice(from, from + size);
}

function withScores(
  state: EvolutionState,
  { candidate, repeat }: Extract<EvolutionStep, { kind: 'evaluate' }>,
  scores: Readonly<Record<string, CaseScore>>,
): EvolutionState {
  const evaluations = state.evaluations + Object.keys(scores).length;
  if (repeat) return { ...state, evaluations, repeats: { ...state.repeats, ...scores } };
  const entry = state.candidates[candidate]!;
  const scored = { ...entry, scores: { ...entry.scores, ...scores } };
  const { comparing } = state;
  if (comparing === null || candidate !== state.candidates.length - 1)
    return withCandidate({ ...state, evaluations }, candidate, dropMissed(scored, state.plan.validation));
  const ended = { ...scored, state: comparedState(state, scored, comparing) };
  return withCandidate({ ...state, evaluations, comparing: null }, candidate, ended);
}

function withFollows(
  state: EvolutionState,
  { candidate, messages }: Extract<EvolutionStep, { kind: 'inject' }>,
  follows: EvolutionCandidate['follows'],
): EvolutionState {
  const missing = messages.filter((id) => !Object.hasOwn(follows, id));
  if (missing.length > 0) throw new RangeError(`expected the answers to the messages ${missing.join(', ')}`);
  const entry = state.candidates[candidate]!;
  const scored = { ...entry, follows: { ...entry.follows, ...follows } };
  return withCandidate(state, candidate, comparedOnInjected(state, scored));
}

function comparedState(
  state: EvolutionState,
  child: EvolutionCandidate,
  { parent, cases }: NonNullable<EvolutionState['comparing']>,
): EvolutionCandidate['state'] {
  if (missedShare(child, cases) > MOST_MISSED) return 'missed';
  const differences = cases.flatMap((id) => {
    const [before, now] = [state.candidates[parent]!.scores[id]?.score, child.scores[id]?.score];
    return typeof before === 'number' && typeof now === 'number' ? [now - before] : [];
  });
  if (differences.length === 0) return 'missed';
  const margin = evaluationNoise(state) / Math.sqrt(differences.length) + EQUAL;
  return mean(differences) > margin ? 'kept' : 'not_better';
}

/** The live text always stays, because the others are compared with it. */
function dropMissed(candidate: EvolutionCandidate, cases: readonly string[]): EvolutionCandidate {
  if (candidate.parent === null || !isKnown(candidate, cases)) return candidate;
  return missedShare(candidate, cases) > MOST_MISSED ? { ...candidate, state: 'missed' } : candidate;
}

function withText(
  state: EvolutionState,
  { round, parent, cases }: Extract<EvolutionStep, { kind: 'reflect' }>,
  { text, refused }: Extract<StepResult, { kind: 'text' }>,
): EvolutionState {
  // A text that a check of its words refused has no scores. It is checked again.
  const isKnownText = state.candidates.some(
    (one) => one.text === text && (one.state !== 'refused' || Object.keys(one.scores).length > 0),
  );
  const reason = refused ?? (isKnownText ? 'the text is one of the candidates already' : null);
  const child: EvolutionCandidate = {
    text,
    parent,
    round,
    state: reason === null ? 'comparing' : 'refused',
    reason,
    scores: {},
    follows: {},
  };
  return {
    ...state,
    round: round + 1,
    candidates: [...state.candidates, child],
    comparing: reason === null ? { parent, cases } : null,
  };
}

function withCandidate(state: EvolutionState, index: number, candidate: EvolutionCandidate): EvolutionState {
  return { ...state, candidates: state.candidates.map((one, i) => (i === index ? candidate : one)) };
}

function drawWeighted(weights: ReadonlyMap<number, number>, random: () => number): number {
  const total = [...weights.values()].reduce((sum, one) => sum + one, 0);
  let left = random() * total;
  for (const [index, weight] of weights) if ((left -= weight) < 0) return index;
  return [...weights.keys()].at(-1) ?? 0;
}
