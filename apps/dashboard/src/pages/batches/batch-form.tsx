import type { BatchAsk, CreatedBatch } from '@casefile/contracts';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useBatchEstimate, useCreateBatch } from '../../api/batches.js';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import '../../ui/labelled-field.css';
import { Dialog } from '../../ui/dialog.js';

interface BatchFormProps {
  /** The cases and the change. The form adds the number of cases and the budget. */
  ask: BatchAsk;
  /** Number of cases that the form suggests. */
  sample: number;
  children?: ReactNode;
  /** Receives the id of the batch. null: no case matched. */
  started(batchId: string | null): void;
  cancel?(): void;
}

/** Form that counts the cases of a request, estimates the cost, and starts a batch of a sample with a budget. */
export function BatchForm({ ask, sample: suggested, children, started, cancel }: BatchFormProps) {
  const create = useCreateBatch();
  const { mutate: estimateCost, data: estimate, error } = useBatchEstimate();
  const [budget, setBudget] = useState('');
  const [cases, setCases] = useState<number | null>(null);
  const request = JSON.stringify(ask);
  useEffect(() => estimateCost(JSON.parse(request) as BatchAsk), [request, estimateCost]);
  const matching = estimate?.matching;
  const sample = Math.min(cases ?? suggested, matching ?? suggested);
  const start = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { ...ask, sample, ...(budget !== '' && { budgetUsd: Number(budget) }) },
      { onSuccess: ({ batchId }) => started(batchId) },
    );
  };
  const problem = create.error ?? error;
  return (
    <form onSubmit={start}>
      <p className="dialog-text">
        {estimate === undefined ? 'Counting the cases …' : estimateInWords(estimate, sample)} {children}
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
        {cancel !== undefined && <Button onClick={cancel}>Cancel</Button>}
        <Button
          type="submit"
          kind="primary"
          disabled={matching === undefined || matching === 0 || create.isPending}
        >
          {matching === undefined ? 'Start' : `Judge ${countOf(sample, 'case')} again`}
        </Button>
      </div>
    </form>
  );
}

function estimateInWords({ matching, estimateUsd }: CreatedBatch, sample: number): string {
  if (estimateUsd === 0)
    return `${countOf(matching, 'case')}. There are no earlier model calls to estimate the cost from.`;
  const all = `${countOf(matching, 'case')}, for about ${moneyText(estimateUsd)} of model calls.`;
  if (sample >= matching) return all;
  return `${all} Judging ${countText(sample)} of them costs about ${moneyText((estimateUsd * sample) / matching)}.`;
}

/** Number of cases that a first batch judges, unless the user changes it. */
const SAMPLE = 10;

interface JudgeAgainProps {
  title: string;
  /** The cases. */
  ask: Pick<BatchAsk, 'degradedSince' | 'filter'>;
  open: boolean;
  close(): void;
}

/** Dialog that judges cases again, with the present settings and new results of tools. */
export function JudgeAgain({ title, ask, open, close }: JudgeAgainProps) {
  const [, navigate] = useLocation();
  return (
    <Dialog open={open} title={title} alert close={close}>
      <BatchForm
        ask={{ ...ask, evidence: 'fresh' }}
        sample={SAMPLE}
        started={(batchId) => (batchId === null ? close() : navigate(`/batches/${batchId}`))}
        cancel={close}
      >
        Tools are called again. The cases keep their verdicts, and nothing is sent, until you apply the batch.
      </BatchForm>
    </Dialog>
  );
}
