import type { DestinationWhen, ShownDestination } from '@casefile/contracts';
import { useEffect, useRef, useState } from 'react';
import { useDestinationAct, useDestinations, type DestinationAct } from '../../api/destinations.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Deliveries } from './deliveries.js';
import { Silences } from './silences.js';
import { DestinationForm } from './destination-form.js';
import './destinations.css';

const DONE = {
  test: 'The test message is queued',
  pause: 'Paused',
  resume: 'Resumed',
  remove: 'Removed',
  resend: 'Delivery restarted',
};

/** Returns the function that runs an act and reports its result. */
function useAct(): { run(act: DestinationAct): void; isPending: boolean } {
  const toast = useToast();
  const { mutate, isPending } = useDestinationAct();
  const run = (act: DestinationAct) =>
    mutate(act, {
      onSuccess: () => toast({ title: DONE[act.act] }),
      onError: (error) => toast({ title: 'The action failed', text: errorMessage(error), isError: true }),
    });
  return { run, isPending };
}

/** Page of destinations: their state, acts on them, and deliveries with every attempt. */
export default function DestinationsPage() {
  useEffect(() => void (document.title = 'Destinations · Casefile'), []);
  const { data, error, refetch } = useDestinations();
  const { run, isPending } = useAct();
  const toast = useToast();
  const [isAdding, setAdding] = useState(false);
  const page = useRef<HTMLHeadingElement>(null);
  const closeForm = (): void => {
    setAdding(false);
    page.current?.focus();
  };
  const saved = (name: string, isTested: boolean): void =>
    toast({ title: `${name} is saved`, ...(isTested ? { text: 'The test message is queued.' } : {}) });
  return (
    <>
      <div className="page-head">
        <h1 ref={page} tabIndex={-1}>
          Destinations
        </h1>
        <Button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          Add a destination
        </Button>
      </div>
      {isAdding && (
        <DestinationForm
          destination={null}
          close={closeForm}
          saved={(name, isTested) => {
            closeForm();
            saved(name, isTested);
          }}
        />
      )}
      {data === undefined ? (
        error === null ? (
          <div className="panel">
            <Skeleton lines={5} label="Destinations are loading" />
          </div>
        ) : (
          <Failed what="The destinations could not be read" error={error} retry={() => void refetch()} />
        )
      ) : data.destinations.length === 0 ? (
        <>
          <Empty title="No destinations">
            Verdicts leave on the queue <code>verdicts</code> only. Add a receiver here, or name it in the
            section <code>destinations</code> of the settings:{' '}
            <a href="/docs/integrate/destinations">Destinations</a>
          </Empty>
          <Silences />
        </>
      ) : (
        <>
          {data.destinations.map((one) => (
            <Destination key={one.name} destination={one} run={run} isPending={isPending} saved={saved} />
          ))}
          <Silences />
          <Deliveries names={data.destinations.map(({ name }) => name)} run={run} />
        </>
      )}
    </>
  );
}

interface DestinationProps {
  destination: ShownDestination;
  run(act: DestinationAct): void;
  isPending: boolean;
  saved(name: string, isTested: boolean): void;
}

/** A destination, or the form that changes it. */
function Destination({ saved, ...panelProps }: DestinationProps) {
  const [isChanging, setChanging] = useState(false);
  if (!isChanging) return <ShownDestinationPanel {...panelProps} change={() => setChanging(true)} />;
  return (
    <DestinationForm
      destination={panelProps.destination}
      close={() => setChanging(false)}
      saved={(name, isTested) => {
        setChanging(false);
        saved(name, isTested);
      }}
    />
  );
}

interface PanelProps extends Omit<DestinationProps, 'saved'> {
  change(): void;
}

function ShownDestinationPanel({ destination, run, isPending, change }: PanelProps) {
  const [isRemoving, setRemoving] = useState(false);
  const { name, type, address, when, source, pausedAt, pausedBy, pausedWhy } = destination;
  const { failingSince, lastSuccessAt, pending, exhausted, changedBy } = destination;
  const isAdded = source === 'page';
  const act = (what: 'test' | 'pause' | 'resume', label: string) => (
    <Button
      small
      disabled={isPending}
      onClick={() => run({ act: what, name })}
      aria-label={`${label} ${name}`}
    >
      {label}
    </Button>
  );
  return (
    <section className="panel destination" aria-label={name}>
      <div className="destination-head">
        <h2>
          {name} <State destination={destination} />
        </h2>
        <div className="destination-acts">
          {act('test', 'Test')}
          {pausedAt === null ? act('pause', 'Pause') : act('resume', 'Resume')}
          {isAdded && (
            <>
              <Button small onClick={change} aria-label={`Change ${name}`}>
                Change
              </Button>
              <Button small onClick={() => setRemoving(true)} aria-label={`Remove ${name}`}>
                Remove
              </Button>
            </>
          )}
        </div>
      </div>
      <Confirm
        open={isRemoving}
        title={`Remove ${name}?`}
        action="Remove"
        danger
        busy={isPending}
        close={() => setRemoving(false)}
        confirm={() => {
          setRemoving(false);
          run({ act: 'remove', name });
        }}
      >
        It receives nothing more. Deliveries that wait are ended; the record keeps all deliveries.
      </Confirm>
      <p>
        {type} to <span className="mono">{visible(address)}</span>: {inWords(when)}
      </p>
      {pausedAt !== null && (
        <p>
          Paused by {visible(pausedBy ?? '')} <Stamp at={pausedAt} />: {visible(pausedWhy ?? '')}
        </p>
      )}
      {pausedAt === null && failingSince !== null && (
        <p>
          Every attempt since <Stamp at={failingSince} /> failed.
        </p>
      )}
      <p className="quiet">
        {countOf(pending, 'delivery', 'deliveries')} waiting, {exhausted} exhausted · last success{' '}
        {lastSuccessAt === null ? 'never' : <Stamp at={lastSuccessAt} />} ·{' '}
        {isAdded
          ? `added by a person${changedBy === null ? '' : `, last changed by ${visible(changedBy)}`}`
          : 'from the configuration, read-only here: change it in its file'}
      </p>
    </section>
  );
}

function State({ destination: { pausedAt, failingSince } }: { destination: ShownDestination }) {
  if (pausedAt !== null) return <Badge tone="red">paused</Badge>;
  return failingSince === null ? <Badge tone="green">ok</Badge> : <Badge tone="amber">failing</Badge>;
}

function inWords(when: DestinationWhen): string {
  const { events = ['verdict'], condition, conditionSeverity } = when;
  const { playbook, disposition, severity, confidence, labels = {} } = when;
  const parts = [
    ...(playbook === undefined ? [] : [playbook.join(' or ')]),
    ...(disposition === undefined ? [] : [disposition.join(' or ')]),
    ...(severity === undefined ? [] : [`severity ${severity.join(' or ')}`]),
    ...(confidence === undefined ? [] : [`confidence from ${confidence}`]),
    ...Object.entries(labels).map(([name, value]) => `${name} ${value}`),
  ];
  const conditions = [conditionSeverity, condition].flatMap((one) =>
    one === undefined ? [] : [one.join(' or ')],
  );
  const words = { verdict: parts, condition: conditions, review: [], delivery: [] };
  return visible(
    events
      .map((event) =>
        words[event].length === 0 ? EVENT_WORDS[event] : `${EVENT_WORDS[event]} (${words[event].join(', ')})`,
      )
      .join('; '),
  );
}

const EVENT_WORDS = {
  verdict: 'verdicts',
  condition: 'conditions',
  review: 'reviews',
  delivery: 'failing destinations',
} as const;
