import type { OutboundDelivery } from '@casefile/contracts';
import { useDeliveries } from '../../api/destinations.js';
import { visible } from '../../format/visible.js';
import { Stamp } from '../../ui/stamp.js';

const WHY: Record<NonNullable<OutboundDelivery['escalated']>['why'], string> = {
  'not-accepted': 'did not accept it in time',
  'not-acknowledged': 'got it and nobody acknowledged it in time',
};

/** Lines about the pages of a case: who acknowledged them, and to whom they were escalated. */
export function PageNotes({ caseId }: { caseId: string }) {
  const { data } = useDeliveries({ caseId });
  const deliveries = data?.pages.flatMap((page) => page.deliveries).toReversed() ?? [];
  return (
    <>
      {deliveries.map(({ id, destination, escalated, createdAt }) =>
        escalated === null ? null : (
          <p className="case-summary" key={id}>
            Escalated to {destination}, because {escalated.from} {WHY[escalated.why]}:{' '}
            <Stamp at={createdAt} />
          </p>
        ),
      )}
      {acknowledgements(deliveries).map(({ by, at }) => (
        <p className="case-summary" key={at}>
          Page acknowledged by {visible(by)}: <Stamp at={at} />
        </p>
      ))}
    </>
  );
}

type Acknowledgement = NonNullable<OutboundDelivery['acknowledged']>;

// One act acknowledges all pages of the case that were sent before.
function acknowledgements(deliveries: readonly OutboundDelivery[]): Acknowledgement[] {
  const acts = deliveries.flatMap(({ acknowledged }) => acknowledged ?? []);
  return [...new Map(acts.map((act) => [act.at, act])).values()];
}
