import type { CaseListEntry, VerdictBrief } from '@casefile/contracts';
import { Brain } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { visible } from '../../format/visible.js';
import { moneyText, percentText } from '../../format/numbers.js';
import { Badge } from '../../ui/badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age } from '../../ui/stamp.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';

interface RowProps {
  entry: CaseListEntry;
  index: number;
  top: number;
  height: number;
  /** Was every case of the list decided by rules? Then the list says it once. */
  allByRules: boolean;
}

/** One case in the list; all of it leads to the case. */
export const CaseRow = memo(function CaseRow({ entry, index, top, height, allByRules }: RowProps) {
  const { caseId, text, playbook, verdict } = entry;
  const summary = verdict?.outcome['summary'];
  return (
    <div
      role="row"
      className="case-row"
      aria-rowindex={index + 2}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="col-verdict">
        <State entry={entry} />
      </span>
      <span role="cell" className="col-alert">
        <Link href={`/cases/${caseId}`} className="case-link" data-case={caseId}>
          <span className="cut" dir="auto">
            {typeof summary === 'string' && <span className="quiet">{visible(summary)} · </span>}
            {visible(text.trim()) || 'An image or a payload'}
          </span>
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
        {verdict === null ? <span className="quiet">–</span> : <Confidence share={verdict.confidence} />}
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
      <DegradedBadge verdict={verdict} />
      {verdict !== null && saysMethod(verdict, allByRules) && <MethodBadge method={verdict.method} />}
      {lane !== null && lane !== 'live' && <Badge tone="violet">{lane}</Badge>}
    </>
  );
}

// What rules decided after a failure is marked with the failure already.
function saysMethod({ method, degraded }: VerdictBrief, allByRules: boolean): boolean {
  return method === 'heuristic' ? !degraded && !allByRules : method !== 'llm';
}
