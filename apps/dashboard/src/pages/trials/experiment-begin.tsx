import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useBeginExperiment } from '../../api/experiments.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import { changeInWords, type Trial } from './trial.js';
import { FIRST_SHARE } from './trial-steps.js';

/** Most characters of the name of an experiment. */
const MOST_OF_NAME = 200;

/** Form that begins the step `shadow` or `part` of a trial: creates an experiment with the change and starts it. */
export function ExperimentBegin({ trial, step }: { trial: Trial; step: 'shadow' | 'part' }) {
  const [share, setShare] = useState(String(FIRST_SHARE * 100));
  const [budget, setBudget] = useState('5');
  const [reason, setReason] = useState('');
  const [, navigate] = useLocation();
  const { mutate, error, isPending } = useBeginExperiment();
  const isShadow = step === 'shadow';
  const begin = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      {
        name: changeInWords(trial.change).slice(0, MOST_OF_NAME),
        playbook: trial.kind,
        mode: isShadow ? 'shadow' : 'ab',
        arms: [
          { name: 'control', settings: {} },
          { name: 'new', settings: trial.change },
        ],
        share: Number(share) / 100,
        ...(isShadow && { budgetUsd: Number(budget) }),
        reason,
      },
      { onSuccess: ({ id }) => navigate(`/experiments/${id}`) },
    );
  };
  return (
    <form className="panel trial-form" onSubmit={begin} aria-label="Begin this step">
      <p>
        {isShadow
          ? 'New cases are judged a second time with the change. Nothing of it is sent. The budget limits the second runs.'
          : 'The change judges this share of the new cases, and its verdicts are sent. It steps back by itself when it fails.'}
      </p>
      <label>
        <span>Share of the new cases, in percent</span>
        <input
          className="field"
          inputMode="decimal"
          value={share}
          onChange={(event) => setShare(event.target.value)}
        />
      </label>
      {isShadow && (
        <label>
          <span>Budget in US dollars</span>
          <input
            className="field"
            inputMode="decimal"
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        </label>
      )}
      <label>
        <span>Reason</span>
        <input className="field" value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      <Button type="submit" kind="primary" disabled={isPending || reason.trim() === ''}>
        Begin
      </Button>
      {error !== null && (
        <p role="alert" className="experiment-problem">
          {errorMessage(error)}
        </p>
      )}
    </form>
  );
}
