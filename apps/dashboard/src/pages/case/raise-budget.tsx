import type { RaiseBudget as Raise, RaisedBudget, ShownRun } from '@casefile/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { postJson } from '../../api/request.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { messageOf } from '../../ui/states.js';

/** Adds to the budget that a parked run waits for, and lets it go on. */
export function RaiseBudget({ run }: { run: ShownRun }) {
  const client = useQueryClient();
  const say = useToast();
  const id = useId();
  const measure = measureOf(run);
  const [amount, setAmount] = useState(measure === 'usd' ? '0.10' : '10000');
  const raise = useMutation({
    mutationFn: (body: Raise) => postJson<RaisedBudget>(`/cases/${run.caseId}/budget`, body),
    onSuccess: () => say({ title: 'The budget is raised; the run goes on' }),
    onError: (error) => say({ isError: true, title: 'Nothing was done', text: messageOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['case', run.caseId] }),
  });
  const value = Number(amount);
  const isAmount = value > 0 && (measure === 'usd' || Number.isInteger(value));
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (isAmount) raise.mutate(measure === 'usd' ? { usd: value } : { tokens: value });
  };
  return (
    <form className="trouble-acts" onSubmit={send}>
      <label htmlFor={id}>Raise it by {measure === 'usd' ? '$' : 'tokens'}</label>
      <input
        id={id}
        className="field trouble-amount"
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Button small kind="primary" type="submit" disabled={!isAmount || raise.isPending}>
        Raise and go on
      </Button>
    </form>
  );
}

function measureOf({ trace }: Pick<ShownRun, 'trace'>): 'usd' | 'tokens' {
  const told = trace.findLast(({ type }) => type === 'budget.exhausted')?.data['key'];
  return typeof told === 'string' && told.endsWith(':tokens') ? 'tokens' : 'usd';
}
