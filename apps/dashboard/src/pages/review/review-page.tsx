import type { ListedReview, ReviewList } from '@casefile/contracts';
import { useEffect, useRef, useState } from 'react';
import { REVIEW_FILTERS, useReviews } from '../../api/reviews.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { usePreferences } from '../../shell/preferences.js';
import { useKeys } from '../../shell/use-keys.js';
import { Badge } from '../../ui/badge.js';
import { cx } from '../../ui/cx.js';
import { useFilter } from '../../ui/use-filter.js';
import { Age } from '../../ui/stamp.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { useNarrow } from '../../ui/use-media.js';
import { ReviewCase } from './review-case.js';
import { ReviewFilters } from './review-filters.js';
import './review.css';

/** The review desk: verdicts that wait for a person, the oldest first, one after the other under the same keys. */
export default function ReviewPage() {
  const [filter, set] = useFilter(REVIEW_FILTERS);
  const { data, error, refetch } = useReviews(filter);
  const { reviewer } = usePreferences();
  useEffect(() => void (document.title = 'Review · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Review</h1>
        <p className="quiet">{data === undefined ? '' : waitingInWords(data)}</p>
      </div>
      <ReviewFilters filter={filter} set={set} />
      {data !== undefined ? (
        <Desk
          key={`${JSON.stringify(filter)} ${reviewer}`}
          reviews={data.reviews}
          isFiltered={Object.keys(filter).length > 0}
        />
      ) : error !== null ? (
        <Failed what="The reviews could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={8} label="Reviews are loading" />
        </div>
      )}
    </>
  );
}

function waitingInWords({ waiting }: ReviewList): string {
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  return count === 0 ? 'No verdict waits' : `${countOf(count, 'verdict')} waiting`;
}

function Desk({ reviews, isFiltered }: { reviews: readonly ListedReview[]; isFiltered: boolean }) {
  // Cases settled on this page. They are hidden immediately, before the list is read again.
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  // Cases of this person's acts, the last one at the end, for undo.
  const [done, setDone] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const left = reviews.filter(({ id }) => !gone.has(id));
  // A chosen case stays on the screen when another person settles it, so that this person sees the answer.
  const current = chosen ?? left[0]?.id ?? null;
  const at = left.findIndex(({ id }) => id === current);
  const next = left[at + 1]?.id ?? null;
  // Keys do nothing while a request is in flight: its result changes the case on the screen.
  const busy = useRef(false);
  const move = (to: string | null | undefined): void => {
    if (!busy.current) setChosen(to ?? current);
  };
  useKeys({ n: () => move(next), p: () => move(left[at - 1]?.id) });
  useEffect(() => {
    if (chosen === null && current !== null) setChosen(current);
  }, [chosen, current]);
  const acted = (id: string, words: string, settles: boolean): void => {
    setDone((before) => [...before, id]);
    setSaid(words);
    if (!settles) return;
    const place = left.findIndex((one) => one.id === id);
    setGone((before) => new Set(before).add(id));
    setChosen(left[place + 1]?.id ?? left[place - 1]?.id ?? null);
  };
  const undone = (id: string): void => {
    setDone((before) => before.filter((_, i) => i !== before.lastIndexOf(id)));
    setGone((before) => new Set([...before].filter((one) => one !== id)));
    setSaid('Undone');
    setChosen(id);
  };
  const desk = { last: done.at(-1) ?? null, said, busy, acted, undone };
  return (
    <div className="desk">
      <Queue reviews={left} current={current} choose={move} />
      <ReviewCase id={current} next={next} desk={desk}>
        <Empty title={isFiltered ? 'No verdict matches' : 'No verdict waits'}>
          {isFiltered ? 'Change the filters to see others.' : 'Verdicts that ask for an answer appear here.'}
        </Empty>
      </ReviewCase>
    </div>
  );
}

interface QueueProps {
  reviews: readonly ListedReview[];
  current: string | null;
  choose(id: string): void;
}

function Queue({ reviews, current, choose }: QueueProps) {
  const isNarrow = useNarrow();
  if (reviews.length === 0) return null;
  const rows = (
    <ol className="desk-rows">
      {reviews.map((review) => (
        <li key={review.id}>
          <button
            type="button"
            className={cx('desk-row', review.id === current && 'desk-row-current')}
            aria-current={review.id === current ? 'true' : undefined}
            onClick={() => choose(review.id)}
          >
            <span className="desk-row-text" dir="auto">
              {visible(review.text === '' ? review.headline : review.text)}
            </span>
            <span className="desk-row-facts">
              <Badge tone="amber">{review.word}</Badge>
              <span className="quiet">
                {review.playbook} · <Age at={review.since} />
                {review.assignee !== null && ` · ${visible(review.assignee)}`}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
  return (
    <nav className="desk-queue panel" aria-label="Verdicts that wait">
      {isNarrow ? (
        <details>
          <summary>{countOf(reviews.length, 'verdict')} in the list</summary>
          {rows}
        </details>
      ) : (
        rows
      )}
    </nav>
  );
}
