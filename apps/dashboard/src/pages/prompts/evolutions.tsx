import type {
  EvolutionAct,
  ShownEvolution,
  ShownEvolutionDetail,
  EvolutionList,
  PromptName,
} from '@casefile/contracts';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ROW } from '../../ui/walk-rows.js';
import { moneyText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { PromptLines } from './prompt-text.js';
import { getJson, postJson } from '../../api/request.js';

const TONES = { running: 'blue', paused: 'amber', stopped: 'neutral', done: 'green' } as const;
const ACTS: Record<ShownEvolution['state'], readonly EvolutionAct[]> = {
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: [],
  done: [],
};
const NAMES = { pause: 'Pause', resume: 'Resume', stop: 'Stop' } as const;

/** Evolutions of a prompt: progress, cost and texts of each, and a form that starts one. */
export function Evolutions({ of }: { of: PromptName }) {
  const { data, error, refetch } = useEvolutions(of);
  const [opened, setOpened] = useState<string | null>(null);
  const evolutions = data?.evolutions ?? [];
  const shownId = opened ?? evolutions[0]?.id ?? null;
  const isOpen = evolutions.some(({ state }) => state === 'running' || state === 'paused');
  return (
    <section className="panel prompt-part" aria-labelledby="evolutions">
      <h2 id="evolutions">Evolutions</h2>
      {error !== null && (
        <Failed what="The evolutions could not be read" error={error} retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton lines={2} label="The evolutions are loading" />}
      {data !== undefined && evolutions.length === 0 && (
        <p className="quiet">No evolution yet. A model can search for a better text on labelled cases.</p>
      )}
      <ul>
        {evolutions.map((one) => (
          <li key={one.id} {...ROW}>
            <Button onClick={() => setOpened(one.id)} disabled={one.id === shownId}>
              Show evolution of <Stamp at={one.createdAt} />
            </Button>{' '}
            <Badge tone={TONES[one.state]}>{one.state}</Badge>{' '}
            <span className="quiet">
              {visible(one.author)} · {moneyText(one.costUsd)} of {moneyText(one.budgetUsd)}
              {one.reason !== null && ` · ${visible(one.reason)}`}
              {one.version !== null && ` · candidate: version ${one.version}`}
            </span>
            {one.id === shownId && <EvolutionDetail id={one.id} />}
            {one.id === shownId && ACTS[one.state].length > 0 && <EvolutionActs evolution={one} />}
          </li>
        ))}
      </ul>
      {data !== undefined && !isOpen && <StartEvolution of={of} />}
    </section>
  );
}

function StartEvolution({ of }: { of: PromptName }) {
  const [budget, setBudget] = useState('');
  const [from, setFrom] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = useStartEvolution(of);
  const toast = useToast();
  const [budgetField, fromField] = [useId(), useId()];
  const isDisabled = isPending || !(Number(budget) > 0);
  return (
    <form
      className="prompt-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isDisabled) return;
        const set = from.trim();
        mutate(
          { budgetUsd: Number(budget), ...(set === '' ? {} : { from: set }) },
          {
            onSuccess: () => {
              setProblem(null);
              toast({ title: 'The evolution is running' });
            },
            onError: (error) => setProblem(errorMessage(error)),
          },
        );
      }}
    >
      <label htmlFor={budgetField}>Budget in US dollars</label>
      <input
        id={budgetField}
        className="field"
        inputMode="decimal"
        value={budget}
        onChange={(event) => setBudget(event.target.value)}
      />
      <label htmlFor={fromField}>Labelled set (empty: live cases)</label>
      <input
        id={fromField}
        className="field"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <Button type="submit" kind="primary" disabled={isDisabled}>
        Start an evolution
      </Button>
      {problem !== null && (
        <p role="alert" className="prompt-unfit">
          {visible(problem)}
        </p>
      )}
    </form>
  );
}

function EvolutionActs({ evolution: { id, state } }: { evolution: ShownEvolution }) {
  const [note, setNote] = useState('');
  const [budget, setBudget] = useState('');
  const { mutate, isPending } = useEvolutionAct(id);
  const toast = useToast();
  const [noteField, budgetField] = [useId(), useId()];
  const run = (act: EvolutionAct) =>
    mutate(
      {
        act,
        reason: note,
        ...(act === 'resume' && Number(budget) > 0 ? { budgetUsd: Number(budget) } : {}),
      },
      {
        onSuccess: ({ state: now }) => {
          setNote((now) => (now === note ? '' : now));
          toast({ title: `The evolution is ${now}` });
        },
        onError: (error) =>
          toast({ title: 'The evolution was not changed', text: errorMessage(error), isError: true }),
      },
    );
  return (
    <form className="prompt-form" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={noteField}>Note on the evolution</label>
      <input
        id={noteField}
        className="field"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {state === 'paused' && (
        <>
          <label htmlFor={budgetField}>New budget in US dollars</label>
          <input
            id={budgetField}
            className="field"
            inputMode="decimal"
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        </>
      )}
      {ACTS[state].map((act) => (
        <Button key={act} disabled={isPending || note.trim() === ''} onClick={() => run(act)}>
          {NAMES[act]} the evolution
        </Button>
      ))}
    </form>
  );
}

const RESULTS = {
  improved:
    'The best text is better on the held-out cases. It was added as a candidate. Compare it in a shadow or an experiment before it becomes live.',
  no_improvement_on_held_out:
    'No improvement on the held-out cases that chance would not explain. No version was added.',
  no_improvement_on_validation:
    'No improvement on the validation cases. The held-out cases were not used, and no version was added.',
} as const;
const STATES = {
  comparing: 'being compared',
  kept: 'kept',
  not_better: 'not better than its parent',
  refused: 'refused',
  missed: 'dropped: runs without a verdict',
} as const;

/** Progress, report and texts of one evolution. */
function EvolutionDetail({ id }: { id: string }) {
  const { data, error, refetch } = useEvolution(id);
  if (error !== null && data === undefined)
    return <Failed what="The evolution could not be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} label="The evolution is loading" />;
  const { evaluations, mostEvaluations, etaSeconds, cases, report } = data;
  return (
    <>
      <p>
        {evaluations} of at most {mostEvaluations} evaluations
        {etaSeconds !== null && `, at most ${Math.ceil(etaSeconds / 60)} min left`} · {cases.train} training,{' '}
        {cases.validation} validation and {cases.heldOut} held-out cases
      </p>
      {report !== null && (
        <>
          <p>
            <strong>{RESULTS[report.result]}</strong>
          </p>
          <Comparison name="Validation cases" rows={report.validation} />
          <Comparison name="Held-out cases" rows={report.heldOut} />
        </>
      )}
      <Texts evolution={data} />
    </>
  );
}

type Rows = NonNullable<ShownEvolutionDetail['report']>['heldOut'];

function Comparison({ name, rows }: { name: string; rows: Rows }) {
  const measuredRows = rows.filter(({ cases }) => cases > 0);
  if (measuredRows.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {measuredRows.map(({ objective, cases, live, candidate, difference, interval }) => (
          <li key={objective}>
            {objective}: {figure(live)} → {figure(candidate)} on {cases} cases
            {interval !== null &&
              `, difference ${figure(difference)} (95 % interval ${figure(interval.low)} to ${figure(interval.high)})`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Texts({ evolution: { candidates } }: { evolution: ShownEvolutionDetail }) {
  return (
    <>
      <h3>Texts</h3>
      <ol start={0} className="evolution-texts">
        {candidates.map(({ index, parent, state, reason, score, changes, added, learntFrom }) => (
          <li key={index}>
            {parent === null ? 'live text' : `made from text ${parent}: ${STATES[state]}`}
            {score !== null && `, score ${score.toFixed(3)}`}
            {reason !== null && ` (${visible(reason)})`}
            {added.length > 0 && (
              <>
                <h4>Sentences that text {index} adds to the live text</h4>
                <ul>
                  {added.map((sentence) => (
                    <li key={sentence}>{visible(sentence)}</li>
                  ))}
                </ul>
              </>
            )}
            {learntFrom.length > 0 && (
              <details>
                <summary>Cases that led to text {index}</summary>
                <ul>
                  {learntFrom.map((caseId) => (
                    <li key={caseId}>
                      <Link href={`/cases/${caseId}`}>{caseId}</Link>
                    </li>
                  ))}
                </ul>
              </details>
            )}
            {changes.length > 0 && (
              <details>
                <summary>Changes of text {index}</summary>
                <PromptLines lines={changes} label={`Text ${index} against text ${parent}`} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

const KEY = 'evolutions';
/** Polling interval in milliseconds, because a step of an evolution causes no event of a case. */
const EVERY_MS = 5_000;
/** Author of acts on this page, because there are no accounts yet. */
const BY = 'console';

/** Reads the evolutions of a prompt, the newest first. */
function useEvolutions({ playbook, name }: PromptName) {
  const query = new URLSearchParams({ playbook, prompt: name }).toString();
  return useQuery({
    queryKey: [KEY, playbook, name],
    queryFn: ({ signal }) => getJson<EvolutionList>(`/evolutions?${query}`, signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads one evolution with its texts and its report. */
function useEvolution(id: string) {
  return useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => getJson<ShownEvolutionDetail>(`/evolutions/${encodeURIComponent(id)}`, signal),
    refetchInterval: EVERY_MS,
  });
}

/** Starts an evolution of a prompt. */
function useStartEvolution({ playbook, name }: PromptName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (chosen: { budgetUsd: number; from?: string }) =>
      postJson<ShownEvolution>('/evolutions', { playbook, prompt: name, by: BY, ...chosen }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Pauses, resumes or stops an evolution. */
function useEvolutionAct(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: { act: EvolutionAct; reason: string; budgetUsd?: number }) =>
      postJson<ShownEvolution>(`/evolutions/${encodeURIComponent(id)}/${act}`, { ...body, by: BY }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
