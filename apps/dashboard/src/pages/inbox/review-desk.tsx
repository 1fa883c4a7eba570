import { counted, t } from '../../strings/text.js';
import type { ReviewList } from '@casefile/contracts';
import { REVIEW_FILTERS, useReviews } from '../../api/reviews.js';
import { Answer } from '../../ui/answer.js';
import { useFilter } from '../../ui/use-filter.js';
import { useActor } from '../../shell/use-actor.js';
import { Desk } from './desk.js';
import { reviewRow } from './desk-row.js';
import { ReviewFilters } from './review-filters.js';

/** The verdicts that wait, or that people settled, with their filters and answers in bulk. */
export function ReviewDesk() {
  const [filter, set] = useFilter(REVIEW_FILTERS);
  const reviews = useReviews(filter);
  const { name: by } = useActor();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <ReviewFilters filter={filter} set={set} />
      <Answer of={reviews} what={t('inbox.theReviews')} lines={8}>
        {(data) => (
          <>
            <p className="visually-hidden" role="status">
              {waitingInWords(data)}
            </p>
            <Desk
              key={`${JSON.stringify(filter)} ${by}`}
              rows={data.reviews.map(reviewRow)}
              filter={filter}
              empty={
                isFiltered
                  ? { title: t('inbox.noVerdictMatches'), text: t('inbox.changeTheFiltersToSee') }
                  : { title: t('inbox.noVerdictWaits'), text: t('inbox.verdictsThatAskForAn') }
              }
            />
          </>
        )}
      </Answer>
    </>
  );
}

function waitingInWords({ waiting }: ReviewList): string {
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  return count === 0
    ? t('inbox.noVerdictWaits')
    : t('inbox.waiting', { count: counted('count.verdict', count) });
}
