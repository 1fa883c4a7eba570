import type { BatchAsk } from '@casefile/contracts';
import { useEffect, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useBatchEstimate, useCreateBatch } from '../../api/batches.js';
import { countOf, moneyText } from '../../format/numbers.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { errorMessage } from '../../ui/states.js';
import '../../ui/labelled-field.css';

/** Dialog that counts the degraded cases, estimates the cost, and starts the batch with a budget. */
export function JudgeAgain({ since, open, close }: { since: string; open: boolean; close(): void }) {
  const create = useCreateBatch();
  const estimate = useBatchEstimate();
  const [, navigate] = useLocation();
  const [budget, setBudget] = useState('');
  const { mutate: askEstimate } = estimate;
  const ask: BatchAsk = { degradedSince: since, evidence: 'fresh' };
  useEffect(() => {
    if (open) askEstimate({ degradedSince: since, evidence: 'fresh' });
  }, [open, since, askEstimate]);
  const count = estimate.data?.count;
  const start = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(budget === '' ? ask : { ...ask, budgetUsd: Number(budget) }, {
      onSuccess: ({ batchId }) => (batchId === null ? close() : navigate(`/batches/${batchId}`)),
    });
  };
  const problem = create.error ?? estimate.error;
  return (
    <Dialog open={open} title="Judge degraded verdicts again?" alert close={close}>
      <form onSubmit={start}>
        <p className="dialog-text">
          {estimate.data === undefined ? 'Counting the cases …' : estimateInWords(estimate.data)} Tools are
          called again. The cases keep their verdicts, and nothing is sent, until you apply the batch.
        </p>
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
            disabled={count === undefined || count === 0 || create.isPending}
          >
            {count === undefined ? 'Start' : `Judge ${countOf(count, 'case')} again`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function estimateInWords({ count, estimateUsd }: { count: number; estimateUsd: number }): string {
  if (estimateUsd === 0)
    return `${countOf(count, 'case')}. There are no earlier model calls to estimate the cost from.`;
  return `${countOf(count, 'case')}, for about ${moneyText(estimateUsd)} of model calls.`;
}
