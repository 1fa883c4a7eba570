import type { ShownCase, ShownRun } from '@casefile/contracts';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useOpenRun } from '../../api/runs.js';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { durationText } from '../../format/time.js';
import { useNow } from '../../shell/now.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CitedText } from '../../ui/cited-text.js';
import { CorrectionBadge } from '../../ui/correction-badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Stamp } from '../../ui/stamp.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { shownCaseTitle } from './case-title.js';
import { evidenceLinks } from './evidence-places.js';
import { PageNotes } from './page-notes.js';
import { settingsInWords } from './settings-words.js';
import { RunTrouble, waitsForPerson } from './run-trouble.js';

/** Subject, state and cost of the case. */
export function CaseHead({ shown, run }: { shown: ShownCase; run: ShownRun | undefined }) {
  const summary = run === undefined ? null : runSummary(run);
  return (
    <header className="case-header">
      <Link href="/cases" className="back">
        <ChevronLeft aria-hidden="true" size={14} />
        Cases
      </Link>
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
      {summary !== null && run !== undefined && (
        <p className="case-summary">
          <CitedText text={summary} links={evidenceLinks(run, '')} />
        </p>
      )}
      {shown.erasures?.map((erasure) => (
        <p key={erasure.at}>
          Erased on {erasure.at.slice(0, 10)} by {visible(erasure.by)} ({visible(erasure.reason)}):{' '}
          {erasure.classes.join(', ')}.
        </p>
      ))}
      <CaseNotes shown={shown} />
      {shown.withheld === undefined && <PageNotes caseId={shown.id} />}
      {run !== undefined && <Facts shown={shown} run={run} />}
      {run !== undefined && <RunTrouble run={run} />}
      {run !== undefined && !NOT_OVER.has(run.status) && shown.erasures === undefined && (
        <Replay caseId={shown.id} run={run} />
      )}
    </header>
  );
}

const NOT_OVER = new Set(['due', 'running', 'suspended']);

/** Replays the run from its record, and shows both runs side by side. */
function Replay({ caseId, run }: { caseId: string; run: ShownRun }) {
  const open = useOpenRun(caseId);
  const [location, navigate] = useLocation();
  return (
    <p className="case-acts">
      <Button
        disabled={open.isPending}
        title="Reads only the record: calls no model and no tool, and delivers no verdict"
        onClick={() =>
          open.mutate(
            { lane: 'replay', run: run.id },
            { onSuccess: ({ runId, baseRunId }) => navigate(`${location}?run=${baseRunId}&with=${runId}`) },
          )
        }
      >
        Replay
      </Button>
      {open.error !== null && <span role="alert"> {open.error.message}</span>}
    </p>
  );
}

/** Later messages of the sender: the alert was resolved, or keeps firing again. */
function CaseNotes({ shown }: { shown: ShownCase }) {
  const { resolvedAt = null, flaps = 0, joinedBy = null, earlierAnswer, proposal = null } = shown;
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
      {joinedBy !== null && <p className="case-summary">Later alerts join by: {visible(joinedBy)}.</p>}
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

/** Returns the summary of the run's presentation, or null if there is none. */
function runSummary(run: ShownRun): string | null {
  const { summary = '' } = run.presentation ?? {};
  return summary === '' ? null : summary;
}

function Facts({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const { cost } = run;
  const { model, strategy, rule, version, arm } = settingsInWords(run.settings);
  const usd = cost.unpriced > 0 && cost.usd === 0 ? null : cost.usd;
  return (
    <dl className="facts">
      <Fact name="Received">
        <Stamp at={shown.createdAt} />
      </Fact>
      <Fact name={tookName(run)}>
        <Took from={run.createdAt} to={run.decidedAt} />
      </Fact>
      <Fact name="Alerts">{countText(shown.alertCount)}</Fact>
      <Fact name="Model">{model}</Fact>
      <Fact name="Model calls">{countText(cost.interactions)}</Fact>
      <Fact name="Tokens">
        {countText(cost.inputTokens)} in · {countText(cost.outputTokens)} out
      </Fact>
      <Fact name="Cost">
        {moneyText(usd)}
        {cost.unpriced > 0 && usd !== null ? ` + ${countOf(cost.unpriced, 'call')} without a price` : ''}
      </Fact>
      <Fact name="Strategy">{strategy}</Fact>
      <Fact name="Decision rule">{rule}</Fact>
      <Fact name="Playbook">{version}</Fact>
      {arm === null ? null : <Fact name="Arm">{arm}</Fact>}
    </dl>
  );
}

// A parked run does nothing until it is redriven, however long it stays open.
function tookName({ decidedAt, status }: ShownRun): string {
  if (decidedAt !== null) return 'Decided in';
  return waitsForPerson(status) ? 'Open for' : 'Duration so far';
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Took({ from, to }: { from: string; to: string | null }) {
  return to === null ? <Going from={from} /> : durationText(Date.parse(to) - Date.parse(from));
}

function Going({ from }: { from: string }) {
  return durationText(Math.floor((useNow() - Date.parse(from)) / 1_000) * 1_000);
}
