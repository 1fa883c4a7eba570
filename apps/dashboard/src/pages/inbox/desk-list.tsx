import { useEffect, useRef } from 'react';
import { counted, rich, t } from '../../strings/text.js';
import type { ListedReview } from '@casefile/contracts';
import { INBOX_NAMES } from '../../api/inbox.js';
import { visible } from '../../format/visible.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { cx } from '../../ui/cx.js';
import { Age } from '../../ui/stamp.js';
import { useNarrow } from '../../ui/use-media.js';
import type { DeskRow } from './desk-row.js';

interface ListProps {
  rows: readonly DeskRow[];
  /** Key of the chosen row; null: none. */
  current: string | null;
  selected: ReadonlyMap<string, ListedReview>;
  choose(row: DeskRow): void;
  toggle(row: DeskRow): void;
  /** null: rows of this list cannot be selected. */
  selectAll: (() => void) | null;
  clear(): void;
  /** Opens the form that answers the selected verdicts. */
  answer(): void;
}

/** The list of what waits, with a selection of verdicts for one answer. */
export function DeskList(props: ListProps) {
  const { rows, selectAll } = props;
  const isNarrow = useNarrow();
  if (rows.length === 0) return null;
  const list = (
    <ol className="desk-rows">
      {rows.map((row) => (
        <Row key={row.key} row={row} {...props} />
      ))}
    </ol>
  );
  return (
    <nav className="desk-queue panel" aria-label={t('inbox.whatWaits')}>
      {selectAll !== null && <Selection {...props} selectAll={selectAll} />}
      {isNarrow ? (
        <details>
          <summary>{rich('inbox.inTheList', { rows: counted('count.row', rows.length) })}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </nav>
  );
}

const TONES: Record<DeskRow['type'], Tone> = {
  review: 'amber',
  question: 'blue',
  letter: 'red',
  tool: 'violet',
  pattern: 'violet',
  batch: 'accent',
  engagement: 'neutral',
};

function Row({ row, current, selected, choose, toggle, selectAll }: ListProps & { row: DeskRow }) {
  const { type, words, state, kind, at, assignee } = row;
  const isCurrent = row.key === current;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li
      ref={item}
      className={cx('desk-item', selectAll === null && 'desk-item-plain', isCurrent && 'desk-row-current')}
    >
      {selectAll !== null && (
        <label className="desk-check">
          <input
            type="checkbox"
            aria-label={t('inbox.select', { words: words.slice(0, 80) })}
            checked={selected.has(row.id)}
            onChange={() => toggle(row)}
          />
        </label>
      )}
      <button
        type="button"
        className="desk-row"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => choose(row)}
      >
        <span className="desk-row-text" dir="auto">
          {words}
        </span>
        <span className="desk-row-facts">
          <Badge tone={TONES[type]}>{selectAll === null ? INBOX_NAMES[type][0] : state}</Badge>
          <span className="quiet">
            {selectAll === null && `${visible(state)} · `}
            {kind !== null && `${kind} · `}
            <Age at={at} />
            {assignee !== null && ` · ${visible(assignee)}`}
          </span>
        </span>
      </button>
    </li>
  );
}

function Selection({ selected, selectAll, clear, answer }: ListProps & { selectAll: () => void }) {
  return (
    <div className="desk-select" role="group" aria-label={t('inbox.selection')}>
      <Button small onClick={selectAll}>
        {t('inbox.selectAllThatMatch')}
      </Button>
      {selected.size > 0 && (
        <>
          <Button small kind="primary" onClick={answer}>
            {rich('inbox.answer4', { selected: selected.size, kbd: <kbd>b</kbd> })}
          </Button>
          <Button small kind="bare" onClick={clear}>
            {t('inbox.clear')}
          </Button>
        </>
      )}
      <span className="quiet" role="status">
        {selected.size === 0 ? '' : t('inbox.selected', { selected: selected.size })}
      </span>
    </div>
  );
}
