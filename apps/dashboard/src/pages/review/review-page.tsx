import type { ListedReview, ReviewList } from '@casefile/contracts';
import { useEffect, useRef, useState } from 'react';
import { allReviews, REVIEW_FILTERS, useReviews, type ReviewFilter } from '../../api/reviews.js';
import { countOf } from '../../format/numbers.js';
import { useActor } from '../../shell/use-actor.js';
import { PageNotes } from '../../shell/page-notes-list.js';
import { useToast } from '../../shell/toasts.js';
import { useKeys } from '../../shell/use-keys.js';
import { useFilter } from '../../ui/use-filter.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { BulkForm } from './bulk-form.js';
import { ReviewCase } from './review-case.js';
import { ReviewFilters } from './review-filters.js';
import { Queue } from './review-queue.js';
import './review.css';

/** Page of the review desk: verdicts that wait for a reviewer, the oldest first, each with the same keys. */
export default function ReviewPage() {
  const [filter, set] = useFilter(REVIEW_FILTERS);
  const { data, error, refetch, dataUpdatedAt } = useReviews(filter);
  const { name: by } = useActor();
  useEffect(() => void (document.title = 'Review · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Review</h1>
        <p className="quiet">{data === undefined ? '' : waitingInWords(data)}</p>
      </div>
      <ReviewFilters filter={filter} set={set} />
      <PageNotes page="review" readAt={dataUpdatedAt} isFailing={error !== null} />
      {data !== undefined ? (
        <Desk key={`${JSON.stringify(filter)} ${by}`} reviews={data.reviews} filter={filter} by={by} />
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

interface DeskProps {
  reviews: readonly ListedReview[];
  filter: ReviewFilter;
  by: string;
}

function Desk({ reviews, filter, by }: DeskProps) {
  const toast = useToast();
  const isFiltered = Object.keys(filter).length > 0;
  // Cases settled on this page. They are hidden immediately, before the list is read again.
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  // Cases that this person answered, the newest at the end, for undo.
  const [done, setDone] = useState<readonly string[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const openReviews = reviews.filter(({ id }) => !gone.has(id));
  // A chosen case stays on the screen when another person settles it, so that this person sees the answer.
  const current = chosen ?? openReviews[0]?.id ?? null;
  const at = openReviews.findIndex(({ id }) => id === current);
  const next = openReviews[at + 1]?.id ?? null;
  // Keys do nothing while a request is in flight: its result changes the case on the screen.
  const busy = useRef(false);
  const move = (to: string | null | undefined): void => {
    if (!busy.current) setChosen(to ?? current);
  };
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedReview>>(new Map());
  // The verdicts that the bulk form answers; null: the form is closed.
  const [bulk, setBulk] = useState<readonly ListedReview[] | null>(null);
  const toggle = (review: ListedReview): void => {
    const after = new Map(selected);
    if (!after.delete(review.id)) after.set(review.id, review);
    setSelected(after);
  };
  const selectAll = (): void => {
    const show = (all: readonly ListedReview[]): void =>
      setSelected(new Map(all.map((one) => [one.id, one])));
    const failed = (error: unknown): void =>
      toast({ title: 'The verdicts could not be read', text: errorMessage(error), isError: true });
    allReviews(filter).then(show, failed);
  };
  const clear = (): void => setSelected(new Map());
  const openBulk = (): void => {
    if (selected.size > 0 && !busy.current) setBulk([...selected.values()]);
  };
  const shownReview = openReviews[at];
  useKeys(
    bulk === null
      ? {
          n: () => move(next),
          p: () => move(openReviews[at - 1]?.id),
          x: ({ repeat }) => (repeat || shownReview === undefined ? undefined : toggle(shownReview)),
          b: openBulk,
        }
      : {},
  );
  useEffect(() => {
    if (chosen === null && current !== null) setChosen(current);
  }, [chosen, current]);
  const acted = (id: string, words: string, settles: boolean): void => {
    setDone((before) => [...before, id]);
    setAnnouncement(words);
    if (!settles) return;
    const place = openReviews.findIndex((one) => one.id === id);
    setGone((before) => new Set(before).add(id));
    setChosen(openReviews[place + 1]?.id ?? openReviews[place - 1]?.id ?? null);
  };
  const undone = (id: string): void => {
    setDone((before) => before.filter((_, i) => i !== before.lastIndexOf(id)));
    setGone((before) => new Set([...before].filter((one) => one !== id)));
    setAnnouncement('Undone');
    setChosen(id);
  };
  const desk = { last: done.at(-1) ?? null, announcement, busy, acted, undone };
  const settled = (ids: readonly string[]): void => {
    const out = new Set(ids);
    setGone((before) => new Set([...before, ...ids]));
    clear();
    if (current !== null && out.has(current))
      setChosen(openReviews.find(({ id }) => !out.has(id))?.id ?? null);
  };
  const restored = (ids: readonly string[]): void => {
    const back = new Set(ids);
    setGone((before) => new Set([...before].filter((id) => !back.has(id))));
  };
  return (
    <div className="desk">
      {bulk === null ? (
        <>
          <Queue
            reviews={openReviews}
            current={current}
            selected={selected}
            choose={move}
            toggle={toggle}
            selectAll={selectAll}
            clear={clear}
            answer={openBulk}
          />
          <ReviewCase id={current} next={next} desk={desk}>
            <Empty title={isFiltered ? 'No verdict matches' : 'No verdict waits'}>
              {isFiltered
                ? 'Change the filters to see others.'
                : 'Verdicts that ask for an answer appear here.'}
            </Empty>
          </ReviewCase>
        </>
      ) : (
        <div className="desk-case">
          <BulkForm reviews={bulk} by={by} answered={settled} undone={restored} close={() => setBulk(null)} />
        </div>
      )}
    </div>
  );
}
