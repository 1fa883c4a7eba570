import type { ShownCase, ShownRun } from '@casefile/contracts';
import { Link } from 'wouter';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { CorrectionBadge } from '../../ui/correction-badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Stamp } from '../../ui/stamp.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { shownCaseTitle } from './case-title.js';
import { PageNotes } from './page-notes.js';
import { RunTrouble } from './run-trouble.js';

/** Subject, state and cost of the case. */
export function CaseHead({ shown, run }: { shown: ShownCase; run: ShownRun | undefined }) {
  return (
    <header className="case-header">
      <h1 dir="auto">{visible(shownCaseTitle(shown))}</h1>
      <div className="case-badges">
        {run?.verdict != null && (
          <VerdictBadge disposition={run.verdict.disposition} word={run.presentation?.word} />
        )}
        {run !== undefined && run.status !== 'decided' && (
          <RunStatusBadge status={run.status} stage={run.stage} />
        )}
        {run?.id === shown.leadingRunId && <CorrectionBadge correction={shown.correction} />}
        <Badge>{shown.playbook}</Badge>
        {run !== undefined && run.lane !== 'live' && <Badge tone="violet">{run.lane}</Badge>}
        <DegradedBadge verdict={run?.verdict ?? null} />
        <span className="case-id mono">
          {shown.id}
          <CopyButton text={shown.id} label="the case's id" />
        </span>
      </div>
      {shown.erasures?.map((erasure) => (
        <p key={erasure.at}>
          Erased on {erasure.at.slice(0, 10)} by {visible(erasure.by)} ({visible(erasure.reason)}):{' '}
          {erasure.classes.join(', ')}.
        </p>
      ))}
      <CaseNotes shown={shown} />
      {shown.withheld === undefined && <PageNotes caseId={shown.id} />}
      {run !== undefined && <RunTrouble run={run} />}
    </header>
  );
}

/** Later messages of the sender: the alert was resolved, or keeps firing again. */
function CaseNotes({ shown }: { shown: ShownCase }) {
  const { resolvedAt = null, flaps = 0, earlierAnswer, proposal = null } = shown;
  const { silence = null, storm = null } = shown;
  return (
    <>
      {earlierAnswer !== undefined && (
        <p className="case-summary">
          {visible(earlierAnswer.by)} answered an earlier verdict
          {earlierAnswer.severity !== null && ` of severity ${visible(earlierAnswer.severity)}`}:{' '}
          <Stamp at={earlierAnswer.at} />
        </p>
      )}
      {proposal !== null && (
        <p className="case-summary">
          A repeat was judged {visible(proposal.word)}. The answer of the person stays in force.
        </p>
      )}
      {storm !== null && <StormNote storm={storm} caseId={shown.id} />}
      {silence !== null && (
        <p className="case-summary">
          {silence.messages === 0 ? 'Silenced' : `${countOf(silence.messages, 'message')} not sent`}, because
          of a <Link href="/operate/destinations#silences">silence</Link> by {visible(silence.author)}{' '}
          {silence.isOver ? 'that ended' : 'until'} <Stamp at={silence.endsAt} />: {visible(silence.reason)}.{' '}
          {silence.isOver ? '' : 'If the alert still fires then, it is judged again.'}
        </p>
      )}
      {resolvedAt !== null && (
        <p className="case-summary">
          Resolved, as the sender reported: <Stamp at={resolvedAt} />
        </p>
      )}
      {flaps > 0 && (
        <p className="case-summary">Recurring: {countOf(flaps, 'occurrence')} above the hourly limit.</p>
      )}
    </>
  );
}

/** The storm of the case: its size and probable root, the judged case, and its alerts. */
function StormNote({ storm, caseId }: { storm: NonNullable<ShownCase['storm']>; caseId: string }) {
  const { leadCaseId, cases, root, alerts, firstAt, lastAt } = storm;
  const others = alerts.filter((one) => one.caseId !== caseId);
  return (
    <div className="case-summary">
      <p>
        Storm of {countOf(cases, 'alert')}, <Stamp at={firstAt} /> to <Stamp at={lastAt} />.{' '}
        {root !== null &&
          (root.dependents > 0
            ? `Probable root: ${visible(root.service)}; ${countOf(root.dependents, 'affected service')} depend on it. `
            : `The first alert is of the service ${visible(root.service)}. `)}
        {leadCaseId === caseId ? (
          'This case is judged for all of them.'
        ) : (
          <>
            It took the verdict of <Link href={`/cases/${leadCaseId}`}>the judged case</Link>.
          </>
        )}
      </p>
      <details>
        <summary>Other alerts of the storm</summary>
        <ul>
          {others.map((one) => (
            <li key={one.caseId}>
              <Stamp at={one.beganAt} /> {one.severity}{' '}
              <Link href={`/cases/${one.caseId}`}>{visible(one.name)}</Link>{' '}
            </li>
          ))}
        </ul>
        {cases - 1 > others.length && <p>{countOf(cases - 1 - others.length, 'more alert')} not listed.</p>}
      </details>
    </div>
  );
}
