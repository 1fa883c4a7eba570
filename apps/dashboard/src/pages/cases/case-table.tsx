import type { CaseListEntry } from '@casefile/contracts';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../../shell/use-keys.js';
import { CaseRow } from './case-row.js';
import { decidedByRules } from './merge-cases.js';
import { useNarrow } from '../../ui/use-media.js';

const ROW_PX = { wide: 41, narrow: 82 } as const;
/** Rows from the end at which the next page is read. */
const READ_AHEAD = 20;

interface TableProps {
  cases: CaseListEntry[];
  paged: {
    isPlaceholderData: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** The rows that are on the screen, of as many as there are. j and k walk over them. */
export function CaseTable({ cases, paged }: TableProps) {
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
  return (
    <div className="panel" aria-busy={paged.isPlaceholderData}>
      {allByRules && <p className="case-note">Decided by rules, without a language model.</p>}
      <div role="table" aria-label="Cases" aria-rowcount={paged.hasNextPage ? -1 : cases.length + 1}>
        <HeadRow />
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
                allByRules={allByRules}
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

function HeadRow() {
  return (
    <div role="rowgroup">
      <div role="row" className="case-head" aria-rowindex={1}>
        {['Verdict', 'Alert', 'Playbook', 'Confidence', 'Cost', 'Age'].map((name) => (
          <span key={name} role="columnheader" className={`col-${name.toLowerCase()}`}>
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

function useReadAhead(
  { hasNextPage, isFetchingNextPage, fetchNextPage }: TableProps['paged'],
  atEnd: boolean,
): void {
  useEffect(() => {
    if (atEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [atEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

/** Where j and k go on from when somebody comes back from a case. */
let lastWalkedTo: string | null = null;

// The row somebody is at is the one with the focus, so that enter and the readers of screens know it too.
function useWalk(cases: CaseListEntry[], show: (index: number) => void): void {
  const [wanted, setWanted] = useState<string | null>(null);
  const step = (by: number): void => {
    const from = focusedCase() ?? lastWalkedTo;
    const at = cases.findIndex(({ caseId }) => caseId === from);
    const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), cases.length - 1);
    show(next);
    lastWalkedTo = cases[next]?.caseId ?? null;
    setWanted(lastWalkedTo);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  useEffect(() => {
    if (wanted === null) return;
    const row = document.querySelector<HTMLElement>(`[data-case="${CSS.escape(wanted)}"]`);
    if (row === null) return;
    row.focus({ preventScroll: true });
    setWanted(null);
  });
}

function focusedCase(): string | null {
  return document.activeElement instanceof HTMLElement
    ? (document.activeElement.dataset['case'] ?? null)
    : null;
}
