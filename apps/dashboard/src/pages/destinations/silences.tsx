import { ROW } from '../../ui/walk-rows.js';
import type { ShownSilence } from '@casefile/contracts';
import { matcherText } from '@casefile/contracts/silence-matchers';
import { useRef, useState, type FormEvent } from 'react';
import { ApiProblem } from '../../api/request.js';
import { useSilenceAct, useSilences } from '../../api/silences.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useMay } from '../../shell/use-may.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { useScrollToTarget } from '../../ui/anchored.js';
import { Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Labelled } from './form-fields.js';
import { EMPTY_SILENCE, SILENCE_TIMES, silenceOfFields } from './silence-fields.js';

const TONES = { active: 'amber', planned: 'blue', over: 'neutral' } as const;

/** Silences with what each withheld, and a form for a new one. */
export function Silences() {
  const { data, error, refetch } = useSilences();
  const mayAct = useMay()('operator');
  const [isAdding, setAdding] = useState(false);
  const place = useRef<HTMLElement>(null);
  useScrollToTarget('silences', place);
  return (
    <section id="silences" ref={place} className="panel destination" aria-label="Silences">
      <div className="destination-head">
        <h2>Silences</h2>
        {mayAct && (
          <Button small aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            Add a silence
          </Button>
        )}
      </div>
      <p className="quiet">
        Matching alerts are judged and recorded, and no destination is notified. What still fires at the end
        is judged again. See <a href="/docs/integrate/silences">Silences</a>.
      </p>
      {isAdding && <SilenceForm close={() => setAdding(false)} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={2} label="Silences are loading" />
        ) : (
          <Failed what="The silences could not be read" error={error} retry={() => void refetch()} />
        )
      ) : data.silences.length === 0 ? (
        <p>No silences.</p>
      ) : (
        <SilenceList silences={data.silences} mayAct={mayAct} />
      )}
    </section>
  );
}

function SilenceList({ silences, mayAct }: { silences: readonly ShownSilence[]; mayAct: boolean }) {
  const toast = useToast();
  const { mutate, isPending } = useSilenceAct();
  const endNow = (id: string): void =>
    mutate(
      { act: 'end', id },
      {
        onSuccess: () => toast({ title: 'The silence is ended', text: 'What still fires is judged again.' }),
        onError: (error) => toast({ title: 'The action failed', text: errorMessage(error), isError: true }),
      },
    );
  return (
    <ul className="silence-list">
      {silences.map((silence) => (
        <li key={silence.id} className="destination-head" {...ROW}>
          <Silence silence={silence} />
          {mayAct && silence.source === 'casefile' && silence.state !== 'over' && (
            <Button
              small
              disabled={isPending}
              aria-label={`${silence.state === 'planned' ? 'Cancel' : 'End now'}: ${silence.matchers.map(matcherText).join(', ')}`}
              onClick={() => endNow(silence.id)}
            >
              {silence.state === 'planned' ? 'Cancel' : 'End now'}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Silence({ silence }: { silence: ShownSilence }) {
  const { matchers, state, startsAt, endsAt, reason, author, source, problem } = silence;
  return (
    <div className="silence">
      <p>
        <span className="mono">{visible(matchers.map(matcherText).join(', '))}</span>{' '}
        <Badge tone={TONES[state]}>{state}</Badge>
      </p>
      <p>
        <Stamp at={startsAt} /> to <Stamp at={endsAt} />: {withheldInWords(silence)} withheld
      </p>
      <p className="quiet">
        {visible(reason)}, by {visible(author)}
        {source === 'alertmanager' && ' in Alertmanager'}
      </p>
      {problem !== null && <p className="field-problem">Does not apply: {visible(problem)}</p>}
    </div>
  );
}

/** Returns what a silence withheld: "2 messages (1 critical) of 1 case". */
function withheldInWords({ withheld: { cases, messages, critical } }: ShownSilence): string {
  const ofCritical = critical === 0 ? '' : ` (${critical} critical)`;
  return `${countOf(messages, 'message')}${ofCritical} of ${countOf(cases, 'case')}`;
}

/** Form for a silence. Each problem is shown below the fields. Escape closes the form. */
function SilenceForm({ close }: { close(): void }) {
  const [fields, setFields] = useState(EMPTY_SILENCE);
  const [problem, setProblem] = useState<string | null>(null);
  const toast = useToast();
  const { mutate, isPending } = useSilenceAct();
  const change = (some: Partial<typeof fields>): void => setFields({ ...fields, ...some });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = silenceOfFields(fields, Date.now());
    if ('problem' in read) return setProblem(read.problem);
    mutate(
      { act: 'create', silence: read.silence },
      {
        onSuccess: () => {
          toast({ title: 'The silence is created' });
          close();
        },
        onError: (error) => setProblem(problemText(error)),
      },
    );
  };
  return (
    <form
      className="destination-form silence-form"
      aria-label="Add a silence"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Labelled label="Matchers, one per line">
        {(id) => (
          <textarea
            id={id}
            className="field mono"
            rows={3}
            autoFocus
            spellCheck={false}
            placeholder={'service=checkout\ninstance=~db-.*'}
            value={fields.matchers}
            onChange={({ target }) => change({ matchers: target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Start, in the time of this browser (empty: now)">
        {(id) => (
          <input
            id={id}
            className="field"
            type="datetime-local"
            value={fields.start}
            onChange={({ target }) => change({ start: target.value })}
          />
        )}
      </Labelled>
      <Labelled label="For">
        {(id) => (
          <select
            id={id}
            className="field"
            value={fields.forMs}
            onChange={({ target }) => change({ forMs: target.value })}
          >
            {SILENCE_TIMES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label="Reason">
        {(id) => (
          <input
            id={id}
            className="field"
            autoComplete="off"
            value={fields.reason}
            onChange={({ target }) => change({ reason: target.value })}
          />
        )}
      </Labelled>
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="destination-acts">
        <Button type="submit" kind="primary" disabled={isPending}>
          Silence
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}

function problemText(error: Error): string {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return errorMessage(error);
  return error.errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
}
