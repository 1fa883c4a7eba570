import type { DestinationWhen, ShownDestination } from '@casefile/contracts';
import { useEffect } from 'react';
import { useDestinationAct, useDestinations, type DestinationAct } from '../../api/destinations.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Empty, Failed, messageOf, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Deliveries } from './deliveries.js';
import './destinations.css';

const DONE = {
  test: 'The test is on its way',
  pause: 'Paused',
  resume: 'Resumed',
  resend: 'On its way again',
};

/** Returns the function that runs an act and reports its result. */
function useAct(): { run(act: DestinationAct): void; isPending: boolean } {
  const toast = useToast();
  const { mutate, isPending } = useDestinationAct();
  const run = (act: DestinationAct) =>
    mutate(act, {
      onSuccess: () => toast({ title: DONE[act.act] }),
      onError: (error) => toast({ title: 'That did not work', text: messageOf(error), isError: true }),
    });
  return { run, isPending };
}

/** Page of destinations: their state, acts on them, and deliveries with every attempt. */
export default function DestinationsPage() {
  useEffect(() => void (document.title = 'Destinations · Casefile'), []);
  const { data, error, refetch } = useDestinations();
  const { run, isPending } = useAct();
  return (
    <>
      <div className="page-head">
        <h1>Destinations</h1>
      </div>
      {data === undefined ? (
        error === null ? (
          <div className="panel">
            <Skeleton lines={5} label="Destinations are loading" />
          </div>
        ) : (
          <Failed what="The destinations could not be read" error={error} retry={() => void refetch()} />
        )
      ) : data.destinations.length === 0 ? (
        <Empty title="No destinations">
          Verdicts leave on the queue <code>verdicts</code> only. Name receivers in the section{' '}
          <code>destinations</code> of the settings: <a href="/docs/integrate/destinations">Destinations</a>
        </Empty>
      ) : (
        <>
          {data.destinations.map((one) => (
            <Destination key={one.name} destination={one} run={run} isPending={isPending} />
          ))}
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
}

function Destination({ destination, run, isPending }: DestinationProps) {
  const { name, type, address, when, source, pausedAt, pausedBy, pausedWhy } = destination;
  const { failingSince, lastSuccessAt, pending, exhausted } = destination;
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
        </div>
      </div>
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
        {source === 'configuration' ? 'from the configuration, read-only here' : 'added by a person'}
      </p>
    </section>
  );
}

function State({ destination: { pausedAt, failingSince } }: { destination: ShownDestination }) {
  if (pausedAt !== null) return <Badge tone="red">paused</Badge>;
  return failingSince === null ? <Badge tone="green">ok</Badge> : <Badge tone="amber">failing</Badge>;
}

function inWords({ playbook, disposition, severity, confidence, labels = {} }: DestinationWhen): string {
  const parts = [
    ...(playbook === undefined ? [] : [playbook.join(' or ')]),
    ...(disposition === undefined ? [] : [disposition.join(' or ')]),
    ...(severity === undefined ? [] : [`severity ${severity.join(' or ')}`]),
    ...(confidence === undefined ? [] : [`confidence from ${confidence}`]),
    ...Object.entries(labels).map(([name, value]) => `${name} ${value}`),
  ];
  return parts.length === 0 ? 'every verdict' : visible(parts.join(', '));
}
