import { ROW } from '../../ui/walk-rows.js';
import type { DeliveryAttempt, OutboundDelivery } from '@casefile/contracts';
import { DELIVERY_FILTERS, useDeliveries, type DestinationAct } from '../../api/destinations.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { useFilter } from '../../ui/use-filter.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';

const TONES = {
  pending: 'amber',
  delivered: 'green',
  exhausted: 'red',
  cancelled: 'neutral',
  withheld: 'neutral',
} as const;
const STATES = Object.keys(TONES);

interface DeliveriesProps {
  names: readonly string[];
  run(act: DestinationAct): void;
}

/** Deliveries, newest first, with a filter in the page's URL. */
export function Deliveries({ names, run }: DeliveriesProps) {
  const [filter, set] = useFilter(DELIVERY_FILTERS);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeliveries(filter);
  const all = data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <section className="deliveries" aria-label="Deliveries">
      <div className="destination-head">
        <h2>Deliveries</h2>
        <div className="destination-acts">
          <Choice
            label="Destination"
            value={filter.destination ?? ''}
            options={names.map((one) => [one, one])}
            all="all"
            change={set('destination')}
          />
          <Choice
            label="State"
            value={filter.state ?? ''}
            options={STATES.map((one) => [one, one])}
            all="all"
            change={set('state')}
          />
        </div>
      </div>
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={4} label="Deliveries are loading" />
        ) : (
          <Failed what="The deliveries could not be read" error={error} retry={() => void refetch()} />
        )
      ) : all.length === 0 ? (
        <Empty title="No deliveries" />
      ) : (
        all.map((one) => <Delivery key={one.id} delivery={one} run={run} />)
      )}
      {hasNextPage && (
        <Button className="load-more" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}

function Delivery({ delivery, run }: { delivery: OutboundDelivery; run(act: DestinationAct): void }) {
  const { id, destination, kind, state, caseId, message, attempts, createdAt, nextAt, endedWhy, silence } =
    delivery;
  const { escalated, acknowledged } = delivery;
  return (
    <details className="panel delivery" {...ROW}>
      <summary>
        <Badge tone={TONES[state]}>{state}</Badge> {destination} ·{' '}
        {message === null ? kind : visible(firstLine(message))} · <Stamp at={createdAt} /> ·{' '}
        {silence === null
          ? countOf(attempts.length, 'attempt')
          : `silenced by ${visible(silence.author)}: ${visible(silence.reason)}`}
        {endedWhy !== null && ` · ${endedWhy}`}
        {escalated !== null && ` · escalated from ${escalated.from}`}
        {acknowledged !== null && ` · acknowledged by ${visible(acknowledged.by)}`}
        {state !== 'delivered' &&
          endedWhy === null &&
          attempts.at(-1)?.problem != null &&
          ` · ${visible(attempts.at(-1)?.problem ?? '')}`}
      </summary>
      {message !== null && <pre className="delivery-text">{visible(message)}</pre>}
      <ol>
        {attempts.map((attempt, i) => (
          <li key={i}>
            <Attempt attempt={attempt} />
          </li>
        ))}
      </ol>
      {silence !== null && (
        <p>
          Not sent, because of a <a href="/operate/destinations#silences">silence</a> until{' '}
          <Stamp at={silence.endsAt} />.
        </p>
      )}
      {nextAt !== null && (
        <p className="quiet">
          Next attempt <Stamp at={nextAt} />
        </p>
      )}
      <p className="quiet">
        Delivery <span className="mono">{id}</span>
        {caseId !== null && (
          <>
            {' '}
            of <a href={`/cases/${caseId}`}>the case</a>
          </>
        )}
      </p>
      {state !== 'cancelled' && (
        <Button small onClick={() => run({ act: 'resend', deliveryId: id })}>
          {state === 'pending' || state === 'withheld' ? 'Send now' : 'Send again'}
        </Button>
      )}
    </details>
  );
}

/** The first line of a message states its subject. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

function Attempt({ attempt: { at, status, latencyMs, problem, response } }: { attempt: DeliveryAttempt }) {
  return (
    <>
      <Stamp at={at} clock /> · {problem === null ? `HTTP ${status ?? ''}` : visible(problem)} · {latencyMs}{' '}
      ms
      {response !== null && response !== '' && <pre className="delivery-text quiet">{visible(response)}</pre>}
    </>
  );
}
