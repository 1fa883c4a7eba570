import { t } from '../../strings/text.js';
import { useEffect, useRef, useState } from 'react';
import { allReviews, type ReviewFilter } from '../../api/reviews.js';
import { useActor } from '../../shell/use-actor.js';
import { useToast } from '../../shell/toasts.js';
import { useKeys } from '../../shell/use-keys.js';
import { Empty, errorMessage } from '../../ui/states.js';
import { BulkForm } from './bulk-form.js';
import { DeskList } from './desk-list.js';
import { reviewRow, type DeskRow } from './desk-row.js';
import { ItemDetail } from './item-detail.js';
import { ReviewCase } from './review-case.js';
import { useSelection } from './use-selection.js';
import './review.css';

interface DeskProps {
  /** Items that wait, in the order of the list. */
  rows: readonly DeskRow[];
  /** Filter of the verdicts, of which all that match can be selected. Without it, rows cannot be selected. */
  filter?: ReviewFilter;
  empty: { title: string; text: string };
}

/** A list of what waits, and the chosen thing with its acts. The same keys work for all types. */
export function Desk({ rows, filter, empty }: DeskProps) {
  const toast = useToast();
  const { name: by } = useActor();
  // Settled here. These rows are hidden immediately, before the list is read again.
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<DeskRow | null>(null);
  // Verdicts that this person answered, the newest at the end, for undo.
  const [done, setDone] = useState<readonly string[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const openRows = rows.filter(({ key }) => !gone.has(key));
  // A chosen row stays on the screen when another person settles it, so that this person sees the answer.
  const current = chosen ?? openRows[0] ?? null;
  const at = openRows.findIndex(({ key }) => key === current?.key);
  const next = openRows[at + 1] ?? null;
  // Keys do nothing while a request is in flight: its result changes what is on the screen.
  const busy = useRef(false);
  const move = (to: DeskRow | null | undefined): void => {
    if (!busy.current) setChosen(to ?? current);
  };
  const selection = useSelection();
  const { selected, toggle, clear } = selection;
  // Whether the form that answers the selected verdicts is open.
  const [isBulk, setBulk] = useState(false);
  const selectAll = (): void => {
    const failed = (error: unknown): void =>
      toast({ title: t('inbox.theVerdictsCouldNotBe'), text: errorMessage(error), isError: true });
    allReviews(filter ?? {}).then((all) => selection.set(all.map(reviewRow)), failed);
  };
  const openBulk = (): void => {
    if (selected.size > 0 && !busy.current) setBulk(true);
  };
  useKeys(
    isBulk
      ? {}
      : {
          j: () => move(next),
          k: () => move(openRows[at - 1]),
          x: ({ repeat }) => (repeat || current === null ? undefined : toggle(current)),
          b: openBulk,
        },
  );
  useEffect(() => {
    if (chosen === null && current !== null) setChosen(current);
  }, [chosen, current]);
  const settle = (row: DeskRow): void => {
    const place = openRows.findIndex(({ key }) => key === row.key);
    setGone((before) => new Set(before).add(row.key));
    setChosen(openRows[place + 1] ?? openRows[place - 1] ?? null);
  };
  const acted = (id: string, words: string, settles: boolean): void => {
    setDone((before) => [...before, id]);
    setAnnouncement(words);
    const row = openRows.find((one) => one.type === 'review' && one.id === id);
    if (settles && row !== undefined) settle(row);
    else if (settles) setChosen(openRows[0] ?? null);
  };
  const restored = (ids: readonly string[]): void => {
    const back = new Set(ids.map((id) => `review ${id}`));
    setGone((before) => new Set([...before].filter((key) => !back.has(key))));
  };
  const undone = (id: string): void => {
    setDone((before) => before.filter((_, i) => i !== before.lastIndexOf(id)));
    restored([id]);
    setAnnouncement(t('inbox.undone'));
    const row = rows.find((one) => one.type === 'review' && one.id === id);
    setChosen(row ?? { ...UNLISTED, id, key: `review ${id}` });
  };
  const settled = (ids: readonly string[]): void => {
    const out = new Set(ids.map((id) => `review ${id}`));
    setGone((before) => new Set([...before, ...out]));
    clear();
    if (current !== null && out.has(current.key))
      setChosen(openRows.find(({ key }) => !out.has(key)) ?? null);
  };
  if (isBulk)
    return (
      <div className="desk">
        <div className="desk-case">
          <BulkForm
            reviews={[...selected.values()]}
            by={by}
            answered={settled}
            undone={restored}
            close={() => setBulk(false)}
          />
        </div>
      </div>
    );
  const isReview = current === null || current.type === 'review';
  return (
    <div className="desk">
      <DeskList
        rows={openRows}
        current={current?.key ?? null}
        selected={selected}
        choose={move}
        toggle={toggle}
        selectAll={filter === undefined ? null : selectAll}
        clear={clear}
        answer={openBulk}
      />
      {isReview ? (
        <ReviewCase
          id={current?.id ?? null}
          next={next?.type === 'review' ? next.id : null}
          desk={{ last: done.at(-1) ?? null, announcement, busy, acted, undone }}
        >
          <Empty title={empty.title}>{empty.text}</Empty>
        </ReviewCase>
      ) : (
        <ItemDetail key={current.key} row={current} settled={() => settle(current)} />
      )}
    </div>
  );
}

/** A verdict that is not in the list any more. */
const UNLISTED: Omit<DeskRow, 'id' | 'key'> = {
  type: 'review',
  at: '',
  kind: null,
  words: '',
  state: '',
  assignee: null,
  review: null,
};
