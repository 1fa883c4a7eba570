import type { Batch, ShownExperiment } from '@casefile/contracts';
import { useState } from 'react';
import { Link } from 'wouter';
import { BatchActs } from '../batches/batch-acts.js';
import { ExperimentActs } from '../experiments/experiment-acts.js';
import { useExperiment } from '../../api/experiments.js';
import { visible } from '../../format/visible.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { useMay } from '../../shell/use-may.js';
import { Answer } from '../../ui/answer.js';
import { changeInWords, kindHref, trialKey, type StartedTrial, type Trial, type TrialStep } from './trial.js';
import { trialSteps, type ShownStep, type StepMark } from './trial-steps.js';
import { useTrials } from './use-trials.js';
import './trials.css';

const TONES: Record<StepMark, Tone> = {
  open: 'neutral',
  active: 'blue',
  held: 'amber',
  done: 'green',
  failed: 'red',
};

/** The steps of a trial in a row: weight, state and finding of each, and the step that the page shows. */
export function TrialPath({ trial, current }: { trial: Trial; current: TrialStep | null }) {
  const trials = useTrials();
  return (
    <section className="panel trial-path" aria-label="Steps of the trial">
      <p>
        <Link href={kindHref(trial.kind)}>{trial.kind}</Link> with{' '}
        <strong>{changeInWords(trial.change)}</strong>
      </p>
      <Answer of={trials} what="The steps" lines={3}>
        {(all) => <Steps started={startedIn(all, trial)} current={current} />}
      </Answer>
    </section>
  );
}

function startedIn(all: readonly StartedTrial[], trial: Trial): StartedTrial {
  const started = all.find((one) => trialKey(one) === trialKey(trial));
  return started ?? { ...trial, batches: [], experiments: [], changedAt: '' };
}

function Steps({ started, current }: { started: StartedTrial; current: TrialStep | null }) {
  return (
    <ol className="trial-steps">
      {trialSteps(started).map((step) => (
        <Step
          key={step.step}
          of={step}
          isCurrent={step.step === current}
          experiment={started.experiments.find(({ id }) => id === step.experimentId) ?? null}
          batch={step.step === 'past' ? (started.batches[0] ?? null) : null}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  of: ShownStep;
  isCurrent: boolean;
  /** The experiment of the step; null: none. */
  experiment: ShownExperiment | null;
  /** The batch of the step; null: none. */
  batch: Batch | null;
}

function Step({ of, isCurrent, experiment, batch }: StepProps) {
  const { title, mark, state, weight, share, figures, experimentId, href, earlier } = of;
  return (
    <li className="trial-step" data-mark={mark} aria-current={isCurrent ? 'step' : undefined}>
      <span className="trial-step-title">
        <Link href={href}>{title}</Link> <Badge tone={TONES[mark]}>{state}</Badge>
      </span>
      <meter min={0} max={1} value={share} aria-label={`Weight of the step ${title}`} />
      <span className="quiet">{weight}</span>
      {figures.map((figure) => (
        <span key={figure}>{visible(figure)}</span>
      ))}
      {experimentId !== null && <Finding id={experimentId} />}
      {experiment !== null && !isCurrent && <StepActs experiment={experiment} />}
      {batch !== null && !isCurrent && <PastCasesActs batch={batch} />}
      {earlier.length > 0 && (
        <span className="quiet">
          Earlier:{' '}
          {earlier.map((address) => (
            <Link key={address} href={address} className="mono">
              {address.slice(-8)}{' '}
            </Link>
          ))}
        </span>
      )}
    </li>
  );
}

/** Acts on the experiment of a step that another page shows: its weight, pause, promote and abort. */
function StepActs({ experiment }: { experiment: ShownExperiment }) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  if (!may('operator') || experiment.state === 'promoted') return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Weight, pause, promote, abort</summary>
      {isOpen && <ExperimentActs experiment={experiment} />}
    </details>
  );
}

const NONE_LEFT_OUT: ReadonlySet<string> = new Set();

/** Pauses and resumes the batch of a step that another page shows. Its verdicts are applied where the flips are. */
function PastCasesActs({ batch }: { batch: Batch }) {
  const may = useMay();
  const isOpen = batch.state === 'running' || batch.state === 'paused';
  return may('operator') && isOpen ? <BatchActs batch={batch} leftOut={NONE_LEFT_OUT} /> : null;
}

// The list of experiments has no comparison: it is read per experiment.
function Finding({ id }: { id: string }) {
  const { data } = useExperiment(id);
  return data === undefined ? null : <span>{visible(data.comparison.sentence)}</span>;
}
