import type { ListedReview } from '@casefile/contracts';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { cx } from '../../ui/cx.js';
import { Age } from '../../ui/stamp.js';
import { useNarrow } from '../../ui/use-media.js';

interface QueueProps {
  reviews: readonly ListedReview[];
  current: string | null;
  selected: ReadonlyMap<string, ListedReview>;
  choose(id: string): void;
  toggle(review: ListedReview): void;
  selectAll(): void;
  clear(): void;
  /** Opens the form that answers the selected verdicts. */
  answer(): void;
}

/** The list of verdicts that wait, with a selection for one answer. */
export function Queue(props: QueueProps) {
  const { reviews, current, selected, choose, toggle } = props;
  const isNarrow = useNarrow();
  if (reviews.length === 0) return null;
  const rows = (
    <ol className="desk-rows">
      {reviews.map((review) => {
        const words = visible(review.text || review.headline || `Case of ${review.playbook}`);
        return (
          <li key={review.id} className={cx('desk-item', review.id === current && 'desk-row-current')}>
            <label className="desk-check">
              <input
                type="checkbox"

                aria-label={`Select: ${words.slice(0, 80)}`}
                checked={selected.has(review.id)}
                onChange={() => toggle(review)}
              />
            </label>
            <button
              type="button"
              className="desk-row"
              aria-current={review.id === current ? 'true' : undefined}
              onClick={() => choose(review.id)}
            >
              <span className="desk-row-text" dir="auto">
                {words}
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
        );
      })}
    </ol>
  );
  return (
    <nav className="desk-queue panel" aria-label="Verdicts that wait">
      <Selection {...props} />
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

function Selection({ selected, selectAll, clear, answer }: QueueProps) {
  return (
    <div className="desk-select" role="group" aria-label="Selection">
      <Button small onClick={selectAll}>
        Select all that match
      </Button>
      {selected.size > 0 && (
        <>
          <Button small kind="primary" onClick={answer}>
            Answer {selected.size} <kbd>b</kbd>
          </Button>
          <Button small kind="bare" onClick={clear}>
            Clear
          </Button>
        </>
      )}
      <span className="quiet" role="status">
        {selected.size === 0 ? '' : `${selected.size} selected`}
      </span>
    </div>
  );
}
