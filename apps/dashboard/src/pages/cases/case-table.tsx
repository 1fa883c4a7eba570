import type { CaseListEntry, VerdictBrief } from '@casefile/contracts';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, memo } from 'react';
import { useKeys } from '../../shell/use-keys.js';
import { decidedByRules } from './merge-cases.js';
import { useNarrow } from '../../ui/use-media.js';
import { Brain } from 'lucide-react';
import { Link } from 'wouter';
import { visible } from '../../format/visible.js';
import { moneyText, percentText } from '../../format/numbers.js';
import { Badge } from '../../ui/badge.js';
import { CorrectionBadge } from '../../ui/correction-badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age } from '../../ui/stamp.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';

const ROW_PX = { wide: 41, narrow: 82 } as const;
/** Distance from the last row at which the next page is loaded. */
const READ_AHEAD = 20;

interface CaseTableProps {
  cases: CaseListEntry[];
  paged: {
    isPlaceholderData: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Renders only the visible rows. j and k move between rows. */
export function CaseTable({ cases, paged }: CaseTableProps) {
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
        {['Verdict', 'Alert', 'Kind', 'Confidence', 'Cost', 'Age'].map((name) => (
          <span key={name} role="columnheader" className={`col-${name.toLowerCase()}`}>
            {name}
          </span>
        ))}
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
  /** Whether rules decided every case of the list. If so, the list states it once. */
  allByRules: boolean;
}

/** One case in the list; all of it leads to the case. */
const CaseRow = memo(function CaseRow({ entry, index, top, height, allByRules }: RowProps) {
  const { caseId, text, playbook, verdict } = entry;
  const result = resultAfter(text.trim(), verdict);
  const unconfirmed = isUnconfirmed(verdict);
  return (
    <div
      role="row"
      className="case-row"
      aria-rowindex={index + 2}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="col-verdict">
        <State entry={entry} />
        {unconfirmed && <span className="quiet unconfirmed-narrow">unconfirmed</span>}
      </span>
      <span role="cell" className="col-alert">
        <Link href={`/cases/${caseId}`} className="case-link" data-case={caseId}>
          <span className="case-line cut" dir="auto">
            {visible(text.trim()) || 'No text'}
          </span>
          {result !== '' && (
            <span className="case-result quiet cut" dir="auto">
              {visible(result)}
            </span>
          )}
        </Link>
        {entry.alertCount > 1 && <span className="case-count quiet num">×{entry.alertCount}</span>}
        <span className="marks">
          <Marks entry={entry} allByRules={allByRules} />
        </span>
      </span>
      <span role="cell" className="col-playbook quiet cut">
        {playbook}
      </span>
      <span role="cell" className="col-confidence num">
        {verdict?.confidenceApplies ? (
          <Confidence share={verdict.confidence} />
        ) : unconfirmed ? (
          <span className="quiet" title="No source confirmed the answer, so it needs review">
            unconfirmed
          </span>
        ) : (
          <span className="quiet">–</span>
        )}
      </span>
      <span role="cell" className="col-cost num quiet">
        {entry.costUsd === 0 ? '–' : moneyText(entry.costUsd)}
      </span>
      <span role="cell" className="col-age quiet">
        <Age at={entry.createdAt} />
      </span>
    </div>
  );
});

/** Returns the summary of a result, without the name of the case at its beginning. */
function resultAfter(name: string, verdict: VerdictBrief | null): string {
  const { summary } = verdict?.outcome ?? {};
  if (typeof summary !== 'string') return '';
  return (name !== '' && summary.startsWith(name) ? summary.slice(name.length) : summary).trim();
}

// A verdict known only from an event has no outcome yet, so whether its confidence applies is unknown until
// it is read.
function isUnconfirmed(verdict: VerdictBrief | null): boolean {
  return verdict !== null && !verdict.confidenceApplies && Object.keys(verdict.outcome).length > 0;
}

function State({ entry: { verdict, runStatus, stage, status } }: { entry: CaseListEntry }) {
  if (verdict !== null) return <VerdictBadge disposition={verdict.disposition} word={verdict.word} />;
  if (runStatus !== null) return <RunStatusBadge status={runStatus} stage={stage} />;
  return <Badge>{status}</Badge>;
}

function Confidence({ share }: { share: number }) {
  return (
    <span className="confidence">
      <meter className="confidence-bar" min={0} max={1} value={share} aria-hidden="true" />
      {percentText(share)}
    </span>
  );
}

function Marks({ entry, allByRules }: Pick<RowProps, 'entry' | 'allByRules'>) {
  const { verdict, hasReasoning, lane } = entry;
  return (
    <>
      {hasReasoning && (
        <span className="mark" title="The model’s reasoning is stored">
          <Brain aria-hidden="true" size={14} />
          <span className="visually-hidden">with reasoning</span>
        </span>
      )}
      <CorrectionBadge correction={entry.correction} />
      <DegradedBadge verdict={verdict} />
      {verdict !== null && saysMethod(verdict, allByRules) && <MethodBadge method={verdict.method} />}
      {lane !== null && lane !== 'live' && <Badge tone="violet">{lane}</Badge>}
    </>
  );
}

// A verdict by rules after a failure is already marked by its badge for the failure.
function saysMethod({ method, degraded }: VerdictBrief, allByRules: boolean): boolean {
  return method === 'heuristic' ? !degraded && !allByRules : method !== 'llm';
}
