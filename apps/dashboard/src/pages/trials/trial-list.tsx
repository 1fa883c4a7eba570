import { Link } from 'wouter';
import { Badge } from '../../ui/badge.js';
import { Answer } from '../../ui/answer.js';
import { Stamp } from '../../ui/stamp.js';
import { Empty } from '../../ui/states.js';
import { changeInWords, trialHref, trialKey, type StartedTrial } from './trial.js';
import { trialSteps, type ShownStep } from './trial-steps.js';
import { useTrials } from './use-trials.js';
import './trials.css';

/** The trials of one kind or of all kinds, the most recent first, each with its steps. */
export function TrialList({ kind }: { kind?: string }) {
  const trials = useTrials();
  return (
    <Answer of={trials} what="The trials">
      {(all) => {
        const shown = all.filter((one) => kind === undefined || one.kind === kind);
        if (shown.length === 0)
          return (
            <Empty title="No trial yet">
              A trial tests another prompt, model, threshold or strategy: first on past cases, then without
              effect on new ones, then on a share of them.
            </Empty>
          );
        return (
          <ul className="panel trial-list">
            {shown.map((trial) => (
              <Entry key={trialKey(trial)} trial={trial} />
            ))}
          </ul>
        );
      }}
    </Answer>
  );
}

function Entry({ trial }: { trial: StartedTrial }) {
  const steps = trialSteps(trial);
  const begun = steps.filter(({ mark }) => mark !== 'open');
  return (
    <li>
      <span>
        <Link href={begun.at(-1)?.href ?? trialHref(trial, 'past')}>{changeInWords(trial.change)}</Link>{' '}
        <span className="quiet">
          {trial.kind} · <Stamp at={trial.changedAt} />
        </span>
      </span>
      <span className="trial-list-steps">
        {steps.map((step) => (
          <State key={step.step} of={step} />
        ))}
      </span>
    </li>
  );
}

function State({ of: { title, mark, state, href } }: { of: ShownStep }) {
  if (mark === 'open') return <span className="quiet">{title}</span>;
  return (
    <span>
      <Link href={href}>{title}</Link> <Badge>{state}</Badge>
    </span>
  );
}
