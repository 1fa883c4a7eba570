import type { DeadLetterCount } from '@casefile/contracts';
import { useState } from 'react';
import {
  LETTER_FILTERS,
  useDeadLetters,
  type LetterAction,
  type LetterFilter,
} from '../../api/dead-letters.js';
import { countOf, countText } from '../../format/numbers.js';
import { Button } from '../../ui/button.js';
import { DateField } from '../../ui/date-field.js';
import { SearchField } from '../../ui/search-field.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { useFilter } from '../../ui/use-filter.js';
import { Reason } from '../../ui/reason.js';
import { useTyped } from '../../ui/use-typed.js';
import { AskFirst } from './ask-first.js';
import { LetterTable } from './letter-table.js';
import '../../ui/labelled-field.css';
import './dead-letters.css';
import { cx } from '../../ui/cx.js';

/** Failed work that needs a person, with filters, and actions for the selected dead letters. */
export function DeadLetters() {
  const [filter, set] = useFilter(LETTER_FILTERS);
  const letters = useDeadLetters(filter);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [pendingAction, setPendingAction] = useState<LetterAction | null>(null);
  const all = letters.data?.pages.flatMap((page) => page.deadLetters) ?? [];
  const reasons = letters.data?.pages[0]?.reasons ?? [];
  const matching = reasons
    .filter(({ reasonCode }) => filter.reason === undefined || reasonCode === filter.reason)
    .reduce((sum, { count }) => sum + count, 0);
  // Letters that disappeared meanwhile are removed from the selection.
  const ids = all.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  return (
    <>
      <div className="letter-filters">
        <SearchField label="Search dead letters" value={filter.q ?? ''} change={set('q')} />
        <SenderField value={filter.source ?? ''} change={set('source')} />
        <DateField label="From" value={filter.from} change={set('from')} />
        <DateField label="To" value={filter.to} change={set('to')} />
      </div>
      <ReasonFilter reasons={reasons} reason={filter.reason ?? ''} change={set('reason')} />
      {letters.isPending ? (
        <div className="panel">
          <Skeleton lines={8} label="Dead letters are loading" />
        </div>
      ) : letters.isError && all.length === 0 ? (
        <Failed
          what="The dead letters could not be read"
          error={letters.error}
          retry={() => void letters.refetch()}
        />
      ) : all.length === 0 ? (
        <Nothing isFiltered={Object.keys(filter).length > 0} />
      ) : (
        <>
          <Actions
            ids={ids}
            matching={letters.hasNextPage && ids.length === all.length ? matching : null}
            ask={setPendingAction}
            allThatMatch={filter}
          />
          <LetterTable letters={all} chosen={new Set(ids)} choose={setChosen} />
          {letters.hasNextPage && (
            <Button
              className="load-more"
              disabled={letters.isFetchingNextPage}
              onClick={() => void letters.fetchNextPage()}
            >
              Load more
            </Button>
          )}
        </>
      )}
      <AskFirst action={pendingAction} letters={all} close={() => setPendingAction(null)} />
    </>
  );
}

function SenderField({ value, change }: { value: string; change(value: string): void }) {
  const [typed, setTyped] = useTyped(value, change);
  return (
    <label className="labelled-field">
      <span>Sender</span>
      <input className="field" value={typed} onChange={(event) => setTyped(event.target.value)} />
    </label>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No dead letter matches" />
  ) : (
    <Empty title="No dead letters">Every accepted alert is in progress or decided.</Empty>
  );
}

interface ActionsProps {
  ids: string[];
  /** Number of matching letters if more match than can be selected here; else null. */
  matching: number | null;
  allThatMatch: LetterFilter;
  ask(action: LetterAction): void;
}

function Actions({ ids, matching, allThatMatch, ask }: ActionsProps) {
  return (
    <div className="letter-actions" role="toolbar" aria-label="Actions for the selected ones">
      <span className="num" role="status">
        {ids.length === 0 ? 'None selected' : `${countOf(ids.length, 'dead letter')} selected`}
      </span>
      <Button
        kind="primary"
        small
        disabled={ids.length === 0}
        onClick={() => ask({ kind: 'redrive', request: { ids } })}
      >
        Redrive
      </Button>
      <Button small disabled={ids.length === 0} onClick={() => ask({ kind: 'drop', ids })}>
        Drop
      </Button>
      {matching !== null && (
        <Button kind="bare" small onClick={() => ask({ kind: 'redrive', request: { filter: allThatMatch } })}>
          Redrive all {countText(matching)} that match, also those not loaded
        </Button>
      )}
    </div>
  );
}

interface FilterProps {
  /** Counts over all matching letters, also those that are not loaded. */
  reasons: readonly Pick<DeadLetterCount, 'reasonCode' | 'count'>[];
  reason: string;
  change(reason: string): void;
}

/** Filter by one of the reasons present. */
function ReasonFilter({ reasons, reason, change }: FilterProps) {
  const isKnown = reason === '' || reasons.some(({ reasonCode }) => reasonCode === reason);
  const choices = isKnown ? reasons : [...reasons, { reasonCode: reason, count: 0 }];
  if (choices.length === 0) return null;
  return (
    <ul className="reason-chips" aria-label="Reasons">
      {choices.map(({ reasonCode: code, count }) => (
        <li key={code}>
          <button
            type="button"
            className={cx('reason-chip', code === reason && 'reason-chip-on')}
            aria-pressed={code === reason}
            onClick={() => change(code === reason ? '' : code)}
          >
            <Reason code={code} /> <span className="num">{countText(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
