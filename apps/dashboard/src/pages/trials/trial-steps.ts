import type { Batch, ShownExperiment } from '@casefile/contracts';
import { countOf } from '../../format/numbers.js';
import { batchFacts, comparedIn, WORDS_OF_BATCHES } from '../batches/batch-words.js';
import { EXPERIMENT_STATES, shareText } from '../experiments/experiment-words.js';
import { trialHref, type StartedTrial, type TrialStep } from './trial.js';

/** How far a step is. `open`: it has not begun. `held`: paused, stopped or waiting for a person. */
export type StepMark = 'open' | 'active' | 'held' | 'done' | 'failed';

/** A step of a trial, as it is drawn. */
export interface ShownStep {
  step: TrialStep;
  title: string;
  mark: StepMark;
  /** State in a word. */
  state: string;
  /** Cases that the step concerns. */
  weight: string;
  /** Share of all new cases, or of the past cases that were judged, from 0 to 1. */
  share: number;
  /** What it found so far; empty: nothing yet, or an experiment whose comparison has to be read. */
  figures: readonly string[];
  /** The experiment whose comparison is the figure of the step. null: none. */
  experimentId: string | null;
  href: string;
  /** Addresses of earlier batches or experiments of the step. */
  earlier: readonly string[];
}

/** Returns the four steps of a trial with what they found: past cases, shadow, a share, all cases. */
export function trialSteps(trial: StartedTrial): ShownStep[] {
  const shadows = trial.experiments.filter(({ mode }) => mode === 'shadow');
  const parts = trial.experiments.filter(({ mode }) => mode === 'ab');
  return [
    pastStep(trial),
    experimentStep(trial, 'shadow', 'Shadow', shadows),
    experimentStep(trial, 'part', shareTitle(parts[0]), parts),
    allStep(trial),
  ];
}

const OPEN = {
  mark: 'open',
  state: 'not begun',
  share: 0,
  figures: [],
  experimentId: null,
  earlier: [],
} as const;

const BATCH_MARKS: Record<Batch['state'], StepMark> = {
  running: 'active',
  paused: 'held',
  done: 'done',
  applying: 'active',
  applied: 'done',
  discarded: 'done',
};

function pastStep(trial: StartedTrial): ShownStep {
  const [batch, ...earlier] = trial.batches;
  const step = { step: 'past', title: 'Past cases' } as const;
  if (batch === undefined)
    return { ...OPEN, ...step, weight: 'nothing is sent', href: trialHref(trial, 'past') };
  return {
    ...OPEN,
    ...step,
    mark: BATCH_MARKS[batch.state],
    state: WORDS_OF_BATCHES[batch.state],
    weight: countOf(batch.total, 'past case'),
    share: batch.total === 0 ? 0 : batch.done / batch.total,
    figures: [batchFacts(batch).slice(0, 2).join(' · '), ...comparedIn(batch)],
    href: `/batches/${batch.id}`,
    earlier: earlier.map(({ id }) => `/batches/${id}`),
  };
}

/** Share of new cases with which a trial begins to judge for good, from 0 to 1. */
export const FIRST_SHARE = 0.1;

const shareTitle = (part: ShownExperiment | undefined): string => shareText(part?.share ?? FIRST_SHARE);

const EXPERIMENT_MARKS: Record<ShownExperiment['state'], StepMark> = {
  draft: 'held',
  running: 'active',
  stopped: 'held',
  promoted: 'done',
  stepped_back: 'failed',
};

function experimentStep(
  trial: StartedTrial,
  name: 'shadow' | 'part',
  title: string,
  experiments: readonly ShownExperiment[],
): ShownStep {
  const [experiment, ...earlier] = experiments;
  const effect = name === 'shadow' ? 'judged twice, without effect' : 'of the new cases';
  const step = { step: name, title };
  if (experiment === undefined) return { ...OPEN, ...step, weight: effect, href: trialHref(trial, name) };
  const { id, state, share } = experiment;
  return {
    ...OPEN,
    ...step,
    mark: EXPERIMENT_MARKS[state],
    state: EXPERIMENT_STATES[state].words,
    weight: `${shareText(share)} ${effect}`,
    share,
    experimentId: id,
    href: `/experiments/${id}`,
    earlier: earlier.map((one) => `/experiments/${one.id}`),
  };
}

function allStep(trial: StartedTrial): ShownStep {
  const { kind, change, experiments } = trial;
  const promoted = experiments.find(({ state }) => state === 'promoted');
  const [prompt, ...others] = Object.entries(change.prompts ?? {});
  const isOnePrompt = prompt !== undefined && others.length === 0 && Object.keys(change).length === 1;
  const last = promoted ?? experiments[0];
  const step = { step: 'all', title: 'All', weight: '100 % of the new cases' } as const;
  const href =
    last !== undefined
      ? `/experiments/${last.id}`
      : isOnePrompt
        ? `/prompts/${kind}/${prompt[0]}?version=${prompt[1]}`
        : trialHref(trial, 'all');
  if (promoted === undefined) return { ...OPEN, ...step, href };
  return { ...OPEN, ...step, mark: 'done', state: 'promoted', share: 1, href };
}
