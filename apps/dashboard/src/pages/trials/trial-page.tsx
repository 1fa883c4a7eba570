import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { Empty } from '../../ui/states.js';
import { BatchForm } from '../batches/batch-form.js';
import { ExperimentBegin } from './experiment-begin.js';
import { TrialPath } from './trial-path.js';
import { batchSettings, kindHref, trialInSearch, type Trial, type TrialStep } from './trial.js';
import '../experiments/experiments.css';

/** Number of past cases that a trial suggests. */
const SAMPLE = 20;

/** Page of a trial on which its next step begins. Steps that have begun lead to their batch or experiment. */
export default function TrialPage({ kind }: { kind: string }) {
  useEffect(() => void (document.title = 'Trial · Casefile'), []);
  const [search] = useSearchParams();
  const trial = trialInSearch(kind, search);
  if (trial === null)
    return (
      <Empty page title="This address contains no change">
        Choose one on the page of <a href={kindHref(kind)}>{kind}</a>.
      </Empty>
    );
  return (
    <>
      <div className="page-head">
        <h1>Trial</h1>
      </div>
      <TrialPath trial={trial} current={trial.step} />
      <Begin key={trial.step} trial={trial} step={trial.step} />
    </>
  );
}

function Begin({ trial, step }: { trial: Trial; step: TrialStep }) {
  if (step === 'past') return <PastBegin trial={trial} />;
  if (step !== 'all') return <ExperimentBegin trial={trial} step={step} />;
  return (
    <p className="panel trial-form">
      Judge past cases, a shadow or a share of the new cases first. Then promote the change on the page of its
      experiment.
    </p>
  );
}

function PastBegin({ trial }: { trial: Trial }) {
  const [, navigate] = useLocation();
  const settings = batchSettings(trial);
  if (settings === null)
    return (
      <p className="panel trial-form">
        A limit of the confidence is tried on new cases only. Continue with the shadow.
      </p>
    );
  return (
    <section className="panel trial-form" aria-label="Begin this step">
      <BatchForm
        ask={{ filter: { playbook: trial.kind }, settings: settings ?? {} }}
        sample={SAMPLE}
        started={(batchId) => batchId !== null && navigate(`/batches/${batchId}`)}
      >
        The evidence on the record is judged again with the change. Cases keep their verdicts, and nothing is
        sent.
      </BatchForm>
    </section>
  );
}
