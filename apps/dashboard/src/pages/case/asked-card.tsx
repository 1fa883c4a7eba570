import { rich, t } from '../../strings/text.js';
import type { GivenSignal, ShownRun, SignalRecord } from '@casefile/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { postJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { errorMessage } from '../../ui/states.js';

/** Question of a run. Each option has a button while the run waits. Afterwards the chosen option is shown. */
export function QuestionCard({ run }: { run: ShownRun }) {
  return (
    <>
      {run.signals?.map((signal) => (
        <Question
          key={`${signal.stage} ${signal.unit} ${signal.round} ${signal.step}`}
          signal={signal}
          run={run}
        />
      ))}
    </>
  );
}

/** Returns whether the run still waits for an answer to this question. */
export function isOpen({ status, units }: Pick<ShownRun, 'status' | 'units'>, signal: SignalRecord): boolean {
  const unit = units.find((one) => one.unit === signal.unit);
  const isThere = unit?.status === 'suspended' && unit.stage === signal.stage && unit.round === signal.round;
  return status === 'suspended' && signal.value === null && isThere;
}

function Question({ signal, run }: { signal: SignalRecord; run: ShownRun }) {
  const client = useQueryClient();
  const toast = useToast();
  const give = useMutation({
    mutationFn: (option: string) =>
      postJson<GivenSignal>(`/cases/${run.caseId}/signals/${signal.name}`, { option }),
    onError: (failure) =>
      toast({ title: t('case.theAnswerWasNotAccepted'), text: errorMessage(failure), isError: true }),
    onSettled: () => client.invalidateQueries({ queryKey: ['case', run.caseId] }),
  });
  const labelOf = (value: string) => signal.options.find((option) => option.value === value)?.label ?? value;
  const open = isOpen(run, signal);
  return (
    <section className="card asked" aria-label={t('case.question')}>
      <h2>{open ? t('case.openQuestion') : t('case.closedQuestion')}</h2>
      <p dir="auto">{visible(signal.question)}</p>
      {open ? (
        <>
          <div className="asked-options" role="group" aria-label={t('case.answers')}>
            {signal.options.map(({ value, label }) => (
              <Button
                key={value}
                kind={value === signal.fallback ? 'plain' : 'primary'}
                disabled={give.isPending}
                onClick={() => give.mutate(value)}
              >
                <span dir="auto">{visible(label)}</span>
              </Button>
            ))}
          </div>
          <p className="quiet">
            {rich('case.withoutAnAnswerTheRun', {
              stamp: <Stamp at={signal.until} clock />,
              fallback: visible(labelOf(signal.fallback)),
            })}
          </p>
        </>
      ) : (
        <p className="quiet" dir="auto">
          {signal.value === null
            ? t('case.noAnswerInTimeThe', { fallback: visible(labelOf(signal.fallback)) })
            : t('case.chose', { by: visible(signal.by ?? ''), value: visible(labelOf(signal.value)) })}
        </p>
      )}
    </section>
  );
}
