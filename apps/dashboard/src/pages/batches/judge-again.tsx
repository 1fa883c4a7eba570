import type { BatchAsk, CreatedBatch } from '@casefile/contracts';
import { useEffect, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useBatchEstimate, useCreateBatch } from '../../api/batches.js';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { errorMessage } from '../../ui/states.js';
import '../../ui/labelled-field.css';

/** Number of cases that a first batch judges, unless the user changes it. */
const SAMPLE = 10;

/** Dialog that counts the degraded cases, estimates the cost, and starts a batch of a sample with a budget. */
export function JudgeAgain({ since, open, close }: { since: string; open: boolean; close(): void }) {
  const create = useCreateBatch();
  const estimate = useBatchEstimate();
  const [, navigate] = useLocation();
  const [budget, setBudget] = useState('');
  const [cases, setCases] = useState<number | null>(null);
  const { mutate: askEstimate } = estimate;
  const ask: BatchAsk = { degradedSince: since, evidence: 'fresh' };
  useEffect(() => {
    if (open) askEstimate({ degradedSince: since, evidence: 'fresh' });
  }, [open, since, askEstimate]);
  const matching = estimate.data?.matching;
  const sample = Math.min(cases ?? SAMPLE, matching ?? SAMPLE);
  const start = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { ...ask, sample, ...(budget !== '' && { budgetUsd: Number(budget) }) },
      {
        onSuccess: ({ batchId }) => (batchId === null ? close() : navigate(`/batches/${batchId}`)),
      },
    );
  };
  const problem = create.error ?? estimate.error;
  return (
    <Dialog open={open} title="Judge degraded verdicts again?" alert close={close}>
      <form onSubmit={start}>
        <p className="dialog-text">
          {estimate.data === undefined ? 'Counting the cases …' : estimateInWords(estimate.data, sample)}{' '}
          Tools are called again. The cases keep their verdicts, and nothing is sent, until you apply the
          batch.
        </p>
        <label className="labelled-field">
          <span>Cases to judge, spread evenly</span>
          <input
            className="field"
            type="number"
            min="1"
            max={matching}
            step="1"
            value={cases ?? sample}
            onChange={(event) => setCases(event.target.value === '' ? null : event.target.valueAsNumber)}
          />
        </label>
        <label className="labelled-field">
          <span>Budget in US dollars</span>
          <input
            className="field"
            type="number"
            min="0.01"
            step="any"
            placeholder="no limit"
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        </label>
        {problem !== null && <p role="alert">{errorMessage(problem)}</p>}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={matching === undefined || matching === 0 || create.isPending}
          >
            {matching === undefined ? 'Start' : `Judge ${countOf(sample, 'case')} again`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function estimateInWords({ matching, estimateUsd }: CreatedBatch, sample: number): string {
  if (estimateUsd === 0)
    return `${countOf(matching, 'case')}. There are no earlier model calls to estimate the cost from.`;
  const all = `${countOf(matching, 'case')}, for about ${moneyText(estimateUsd)} of model calls.`;
  if (sample >= matching) return all;
  return `${all} Judging ${countText(sample)} of them costs about ${moneyText((estimateUsd * sample) / matching)}.`;
}
