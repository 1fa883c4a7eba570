import type { GivenSignal, ShownRun, SignalRecord } from '@casefile/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { postJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { errorMessage } from '../../ui/states.js';

/** Question of a run. Each option has a button while the run waits. Afterwards the chosen option is shown. */
export function AskedCard({ run }: { run: ShownRun }) {
  return (
    <>
      {run.signals?.map((asked) => (
        <Asked key={`${asked.stage} ${asked.unit} ${asked.round} ${asked.step}`} asked={asked} run={run} />
      ))}
    </>
  );
}

/** Returns whether the run still waits for an answer to this question. */
export function isOpen({ status, units }: Pick<ShownRun, 'status' | 'units'>, asked: SignalRecord): boolean {
  const unit = units.find((one) => one.unit === asked.unit);
  const isThere = unit?.status === 'suspended' && unit.stage === asked.stage && unit.round === asked.round;
  return status === 'suspended' && asked.value === null && isThere;
}

function Asked({ asked, run }: { asked: SignalRecord; run: ShownRun }) {
  const client = useQueryClient();
  const toast = useToast();
  const give = useMutation({
    mutationFn: (option: string) =>
      postJson<GivenSignal>(`/cases/${run.caseId}/signals/${asked.name}`, { option }),
    onError: (failure) =>
      toast({ title: 'The answer was not accepted', text: errorMessage(failure), isError: true }),
    onSettled: () => client.invalidateQueries({ queryKey: ['case', run.caseId] }),
  });
  const labelOf = (value: string) => asked.options.find((option) => option.value === value)?.label ?? value;
  const open = isOpen(run, asked);
  return (
    <section className="card asked" aria-label="Question">
      <h2>{open ? 'Open question' : 'Closed question'}</h2>
      <p dir="auto">{visible(asked.question)}</p>
      {open ? (
        <>
          <div className="asked-options" role="group" aria-label="Answers">
            {asked.options.map(({ value, label }) => (
              <Button
                key={value}
                kind={value === asked.fallback ? 'plain' : 'primary'}
                disabled={give.isPending}
                onClick={() => give.mutate(value)}
              >
                <span dir="auto">{visible(label)}</span>
              </Button>
            ))}
          </div>
          <p className="quiet">
            Without an answer, the run continues at <Stamp at={asked.until} clock /> with “
            {visible(labelOf(asked.fallback))}”.
          </p>
        </>
      ) : (
        <p className="quiet" dir="auto">
          {asked.value === null
            ? `No answer in time; the run continued with “${visible(labelOf(asked.fallback))}”.`
            : `${visible(asked.by ?? '')} chose “${visible(labelOf(asked.value))}”.`}
        </p>
      )}
    </section>
  );
}
