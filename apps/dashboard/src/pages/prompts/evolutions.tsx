import { ROW } from '../../ui/walk-rows.js';
import type { ShownEvolution } from '@casefile/contracts';
import { useId, useState } from 'react';
import {
  useEvolutionAct,
  useEvolutions,
  useStartEvolution,
  type EvolutionActName,
} from '../../api/evolutions.js';
import type { PromptAddress } from '../../api/prompts.js';
import { moneyText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { EvolutionDetail } from './evolution-detail.js';

const TONES = { running: 'blue', paused: 'amber', stopped: 'neutral', done: 'green' } as const;
const ACTS: Record<ShownEvolution['state'], readonly EvolutionActName[]> = {
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: [],
  done: [],
};
const NAMES = { pause: 'Pause', resume: 'Resume', stop: 'Stop' } as const;

/** Evolutions of a prompt: progress, cost and texts of each, and a form that starts one. */
export function Evolutions({ of }: { of: PromptAddress }) {
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

function StartEvolution({ of }: { of: PromptAddress }) {
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
  const run = (act: EvolutionActName) =>
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
