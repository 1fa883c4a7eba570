import type { CaseListEntry } from '@casefile/contracts';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../../shell/use-keys.js';
import type { Column } from '../../ui/table-columns.js';
import { TableTools, useHiddenColumns } from '../../ui/table-tools.js';
import { caseColumns } from './case-columns.js';
import { decidedByRules } from './merge-cases.js';
import { useNarrow } from '../../ui/use-media.js';

const ROW_PX = { wide: 41, narrow: 82 } as const;
/** Distance from the last row at which the next page is loaded. */
const READ_AHEAD = 20;

interface CaseTableProps {
  cases: CaseListEntry[];
  /** Whether the oldest case is first. */
  isOldestFirst: boolean;
  /** Lists the cases in the other order. */
  reverse(): void;
  paged: {
    isPlaceholderData: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Renders only the visible rows. j and k move between rows. */
export function CaseTable({ cases, isOldestFirst, reverse, paged }: CaseTableProps) {
  const list = useRef<HTMLDivElement>(null);
  const narrow = useNarrow();
  const rows = useWindowVirtualizer({
    count: cases.length,
    estimateSize: () => (narrow ? ROW_PX.narrow : ROW_PX.wide),
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => cases[index]?.caseId ?? index,
  });
  useEffect(() => rows.measure(), [narrow, rows]);
  const items = rows.getVirtualItems();
  const allByRules = decidedByRules(cases);
  useReadAhead(paged, (items.at(-1)?.index ?? 0) >= cases.length - READ_AHEAD);
  useWalk(cases, (index) => rows.scrollToIndex(index, { align: 'auto' }));
  const columns = useMemo(() => caseColumns(allByRules), [allByRules]);
  const [hidden, hide] = useHiddenColumns('cases');
  const shown = useMemo(() => columns.filter(({ name }) => !hidden.has(name)), [columns, hidden]);
  return (
    <div className="panel" aria-busy={paged.isPlaceholderData}>
      <TableTools name="cases" rows={cases} columns={columns} hidden={hidden} hide={hide} fixed={2} />
      {allByRules && <p className="case-note">Decided by rules, without a language model.</p>}
      <div role="table" aria-label="Cases" aria-rowcount={paged.hasNextPage ? -1 : cases.length + 1}>
        <HeadRow columns={shown} isOldestFirst={isOldestFirst} reverse={reverse} />
        <div ref={list} role="rowgroup" className="case-rows" style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const entry = cases[item.index];
            return entry === undefined ? null : (
              <CaseRow
                key={item.key}
                entry={entry}
                index={item.index}
                top={item.start - rows.options.scrollMargin}
                height={item.size}
                columns={shown}
              />
            );
          })}
        </div>
      </div>
      <p className="case-foot" role="status">
        {paged.isFetchingNextPage ? 'Loading more …' : paged.hasNextPage ? '' : `${cases.length} in all`}
      </p>
    </div>
  );
}

type HeadProps = Pick<RowProps, 'columns'> & Pick<CaseTableProps, 'isOldestFirst' | 'reverse'>;

// Only a part of the list is loaded, so the store sorts it. It has an index of the age alone.
function HeadRow({ columns, isOldestFirst, reverse }: HeadProps) {
  return (
    <div role="rowgroup">
      <div role="row" className="case-head" aria-rowindex={1}>
        {columns.map(({ name, className }) =>
          name === 'Age' ? (
            <span
              key={name}
              role="columnheader"
              className={className}
              aria-sort={isOldestFirst ? 'descending' : 'ascending'}
            >
              <button type="button" className="table-sort" onClick={reverse}>
                {name} {isOldestFirst ? '↓' : '↑'}
              </button>
            </span>
          ) : (
            <span key={name} role="columnheader" className={className}>
              {name}
            </span>
          ),
        )}
      </div>
    </div>
  );
}

function useReadAhead(
  { hasNextPage, isFetchingNextPage, fetchNextPage }: CaseTableProps['paged'],
  atEnd: boolean,
): void {
  useEffect(() => {
    if (atEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [atEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

/** Row from which j and k continue after the user returns from a case. */
let lastWalkedTo: string | null = null;

// The current row has the focus, so that Enter and screen readers act on the same row.
function useWalk(cases: CaseListEntry[], show: (index: number) => void): void {
  const [focusId, setFocusId] = useState<string | null>(null);
  const step = (by: number): void => {
    const from = focusedCase() ?? lastWalkedTo;
    const at = cases.findIndex(({ caseId }) => caseId === from);
    const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), cases.length - 1);
    show(next);
    lastWalkedTo = cases[next]?.caseId ?? null;
    setFocusId(lastWalkedTo);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  useEffect(() => {
    if (focusId === null) return;
    const row = document.querySelector<HTMLElement>(`[data-case="${CSS.escape(focusId)}"]`);
    if (row === null) return;
    row.focus({ preventScroll: true });
    setFocusId(null);
  });
}

function focusedCase(): string | null {
  return document.activeElement instanceof HTMLElement
    ? (document.activeElement.dataset['case'] ?? null)
    : null;
}

interface RowProps {
  entry: CaseListEntry;
  index: number;
  top: number;
  height: number;
  columns: readonly Column<CaseListEntry>[];
}

/** One case in the list; all of it leads to the case. */
const CaseRow = memo(function CaseRow({ entry, index, top, height, columns }: RowProps) {
  return (
    <div
      role="row"
      className="case-row"
      aria-rowindex={index + 2}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {columns.map(({ name, className, cell }) => (
        <span key={name} role="cell" className={className}>
          {cell(entry)}
        </span>
      ))}
    </div>
  );
});
