import { rich, t } from '../../strings/text.js';
import type { OutboundDelivery } from '@casefile/contracts';
import { useDeliveries } from '../../api/destinations.js';
import { visible } from '../../format/visible.js';
import { Stamp } from '../../ui/stamp.js';

const WHY: Record<NonNullable<OutboundDelivery['escalated']>['why'], string> = {
  'not-accepted': t('case.didNotAcceptItIn'),
  'not-acknowledged': t('case.gotItAndNobodyAcknowledged'),
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
            {rich('case.escalatedToBecause', {
              destination,
              from: escalated.from,
              why: WHY[escalated.why],
              stamp: <Stamp at={createdAt} />,
            })}
          </p>
        ),
      )}
      {acknowledgements(deliveries).map(({ by, at }) => (
        <p className="case-summary" key={at}>
          {rich('case.pageAcknowledgedBy', { by: visible(by), stamp: <Stamp at={at} /> })}
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
