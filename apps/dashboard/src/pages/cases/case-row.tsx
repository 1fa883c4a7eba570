import type { CaseListEntry } from '@casefile/contracts';
import { Brain, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { visible } from '../../format/visible.js';
import { moneyText, percentText } from '../../format/numbers.js';
import { Badge } from '../../ui/badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age } from '../../ui/stamp.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';

interface RowProps {
  entry: CaseListEntry;
  index: number;
  top: number;
  height: number;
}

/** One case in the list; all of it leads to the case. */
export const CaseRow = memo(function CaseRow({ entry, index, top, height }: RowProps) {
  const { caseId, text, playbook, verdict } = entry;
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
            {visible(text.trim()) || 'An image or a payload'}
          </span>
        </Link>
        {entry.alertCount > 1 && <span className="quiet num">×{entry.alertCount}</span>}
        <span className="marks">
          <Marks entry={entry} />
        </span>
      </span>
      <span role="cell" className="col-playbook quiet cut">
        {playbook}
      </span>
      <span role="cell" className="col-confidence num">
        {verdict === null ? <span className="quiet">–</span> : <Confidence share={verdict.confidence} />}
      </span>
      <span role="cell" className="col-cost num quiet">
        {moneyText(entry.costUsd)}
      </span>
      <span role="cell" className="col-age quiet">
        <Age at={entry.createdAt} />
      </span>
    </div>
  );
});

function State({ entry: { verdict, runStatus, stage, status } }: { entry: CaseListEntry }) {
  if (verdict !== null) return <VerdictBadge disposition={verdict.disposition} action={verdict.action} />;
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

function Marks({ entry: { verdict, hasReasoning, lane } }: { entry: CaseListEntry }) {
  return (
    <>
      {hasReasoning && (
        <span className="mark" title="The model's reasoning is on the record">
          <Brain aria-hidden="true" size={14} />
          <span className="visually-hidden">with reasoning</span>
        </span>
      )}
      {verdict?.degraded === true && (
        <Badge tone="amber" title="The intended way was not taken: a fallback, a default or a missing part">
          <TriangleAlert aria-hidden="true" size={12} /> degraded
        </Badge>
      )}
      {verdict !== null && verdict.method !== 'llm' && <MethodBadge method={verdict.method} />}
      {lane !== null && lane !== 'live' && <Badge tone="violet">{lane}</Badge>}
    </>
  );
}
