import { counted, rich, t } from '../../strings/text.js';
import type { RaiseBudget as Raise, RaisedBudget, RunStatus, ShownRun } from '@casefile/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import { useLetterAction } from '../../api/dead-letters.js';
import { postJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { GlossaryWord } from '../../ui/glossary-word.js';
import { Reason } from '../../ui/reason.js';
import { errorMessage } from '../../ui/states.js';
import { isOpen } from './asked-card.js';

/** Returns whether a run waits for a person. Such a run is a dead letter with the run's id. */
export function waitsForPerson(status: RunStatus): boolean {
  return status === 'parked' || status === 'quarantined';
}

const HEADS: Partial<Record<RunStatus, string>> = {
  parked: t('case.parked'),
  quarantined: t('case.quarantined2'),
  stopped: t('case.stopped'),
};

/** The reason why a run has no verdict, and the actions that a person can take. */
export function RunTrouble({ run }: { run: ShownRun }) {
  const { status, reasonCode, message } = run;
  if (reasonCode === null || status === 'decided') return null;
  return (
    <div className="trouble" role="status">
      <p>
        <strong>
          <GlossaryWord>{HEADS[status] ?? t('case.delayed')}</GlossaryWord>
        </strong>
        : <Reason code={reasonCode} />. {message !== null && visible(message)}
      </p>
      {status === 'parked' && reasonCode === 'budget_exhausted' && <RaiseBudget run={run} />}
      {waitsForPerson(status) && <Redrive run={run} />}
    </div>
  );
}

function Redrive({ run: { id } }: { run: ShownRun }) {
  const [asks, setAsks] = useState(false);
  const act = useLetterAction();
  const say = useToast();
  // The page may show the running case before the answer comes, and this part no more.
  const redrive = (): void =>
    void act
      .mutateAsync({ kind: 'redrive', request: { ids: [id] } })
      .then(
        ({ failed, problems }) =>
          say(
            failed === 0
              ? { title: t('case.theRunWasRedriven') }
              : { isError: true, title: t('case.theRunWasNotRedriven'), text: problems.join(' · ') },
          ),
        (error: unknown) =>
          say({ isError: true, title: t('case.theRequestFailed'), text: errorMessage(error) }),
      )
      .finally(() => setAsks(false));
  return (
    <p className="trouble-acts">
      <Button small kind="primary" onClick={() => setAsks(true)}>
        {t('case.redrive')}
      </Button>
      <Link href={`/inbox?type=letter&q=${id}`}>{t('case.itsDeadLetter')}</Link>
      <Confirm
        open={asks}
        title={t('case.redriveThisRun')}
        action={t('case.redrive')}
        busy={act.isPending}
        close={() => setAsks(false)}
        confirm={redrive}
      >
        {t('case.theRunContinuesWhereIt')}
      </Confirm>
    </p>
  );
}

/** Describes in one or two sentences what a run without a verdict does or waits for. */
export function waitingText(
  run: Pick<ShownRun, 'status' | 'stage' | 'toolCalls' | 'units' | 'signals'>,
): string {
  const { status, stage, toolCalls } = run;
  const place = stage === null || stage === undefined ? t('case.atItsEnd') : t('case.inTheStage', { stage });
  switch (status) {
    case 'parked':
      return t('case.theRunWasParkedAnd', { place });
    case 'quarantined':
      return t('case.theRunFailedAndWaits', { place });
    case 'stopped':
      return t('case.theRunWasStoppedBefore');
    case 'suspended': {
      if (run.signals?.some((signal) => isOpen(run, signal))) return t('case.theRunWaitsForAn');
      const open = toolCalls.filter(({ state }) => state === 'pending' || state === 'running').length;
      return open === 0
        ? t('case.theRunWaitsThisPage', { place })
        : t('case.theRunWaitsForThe', { place, open: counted('count.lookUp', open) });
    }
    case 'due':
      return t('case.theRunIsQueuedThis', { place });
    case 'running':
      return t('case.theRunIsThisPage', { place });
    case 'decided':
      return t('case.theRunIsDecided');
  }
}

/** Raises the budget that a parked run waits for, and continues the run. */
function RaiseBudget({ run }: { run: ShownRun }) {
  const client = useQueryClient();
  const say = useToast();
  const id = useId();
  const measure = exhaustedMeasure(run);
  const [amount, setAmount] = useState(measure === 'usd' ? '0.10' : '10000');
  const raise = useMutation({
    mutationFn: (body: Raise) => postJson<RaisedBudget>(`/cases/${run.caseId}/budget`, body),
    onSuccess: () => say({ title: t('case.theBudgetIsRaisedThe') }),
    onError: (error) => say({ isError: true, title: t('case.theRequestFailed'), text: errorMessage(error) }),
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
      <label htmlFor={id}>{rich('case.raiseItBy', { measure: measure === 'usd' ? '$' : 'tokens' })}</label>
      <input
        id={id}
        className="field trouble-amount"
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Button small kind="primary" type="submit" disabled={!isAmount || raise.isPending}>
        {t('case.raiseAndContinue')}
      </Button>
    </form>
  );
}

function exhaustedMeasure({ trace }: Pick<ShownRun, 'trace'>): 'usd' | 'tokens' {
  const budgetKey = trace.findLast(({ type }) => type === 'budget.exhausted')?.data['key'];
  return typeof budgetKey === 'string' && budgetKey.endsWith(':tokens') ? 'tokens' : 'usd';
}
