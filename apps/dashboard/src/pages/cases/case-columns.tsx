import type { CaseListEntry, VerdictBrief } from '@casefile/contracts';
import { Brain } from 'lucide-react';
import { Link } from 'wouter';
import { moneyText, percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { CorrectionBadge } from '../../ui/correction-badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age } from '../../ui/stamp.js';
import type { Column } from '../../ui/table-columns.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';

/**
 * Returns the columns of the list of cases.
 * @param allByRules whether rules decided every case of the list. If so, the list states it once.
 */
export function caseColumns(allByRules: boolean): readonly Column<CaseListEntry>[] {
  return [
    {
      name: 'Verdict',
      className: 'col-verdict',
      value: ({ verdict, runStatus, status }) => verdict?.word ?? verdict?.disposition ?? runStatus ?? status,
      cell: (entry) => (
        <>
          <State entry={entry} />
          {isUnconfirmed(entry.verdict) && <span className="quiet unconfirmed-narrow">unconfirmed</span>}
        </>
      ),
    },
    {
      name: 'Alert',
      className: 'col-alert',
      value: ({ text }) => text.trim(),
      cell: (entry) => <Alert entry={entry} allByRules={allByRules} />,
    },
    {
      name: 'Kind',
      className: 'col-playbook quiet cut',
      value: ({ playbook }) => playbook,
      cell: ({ playbook }) => playbook,
    },
    {
      name: 'Confidence',
      className: 'col-confidence num',
      value: ({ verdict }) => (verdict?.confidenceApplies === true ? verdict.confidence : null),
      cell: ({ verdict }) =>
        verdict?.confidenceApplies ? (
          <Confidence share={verdict.confidence} />
        ) : isUnconfirmed(verdict) ? (
          <span className="quiet" title="No source confirmed the answer, so it needs review">
            unconfirmed
          </span>
        ) : (
          <span className="quiet">–</span>
        ),
    },
    {
      name: 'Cost',
      className: 'col-cost num quiet',
      value: ({ costUsd }) => costUsd,
      cell: ({ costUsd }) => (costUsd === 0 ? '–' : moneyText(costUsd)),
    },
    {
      name: 'Age',
      className: 'col-age quiet',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Age at={createdAt} />,
    },
  ];
}

function Alert({ entry, allByRules }: { entry: CaseListEntry; allByRules: boolean }) {
  const { caseId, text, verdict, alertCount } = entry;
  const result = resultAfter(text.trim(), verdict);
  return (
    <>
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
      {alertCount > 1 && <span className="case-count quiet num">×{alertCount}</span>}
      <span className="marks">
        <Marks entry={entry} allByRules={allByRules} />
      </span>
    </>
  );
}

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

function Marks({ entry, allByRules }: { entry: CaseListEntry; allByRules: boolean }) {
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
