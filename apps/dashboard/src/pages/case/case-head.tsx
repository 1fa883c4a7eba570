import { counted, rich, t } from '../../strings/text.js';
import type { ShownCase, ShownRun } from '@casefile/contracts';
import { Link } from 'wouter';
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
          <CopyButton text={shown.id} label={t('case.theCasesId')} />
        </span>
      </div>
      {shown.erasures?.map((erasure) => (
        <p key={erasure.at}>
          {rich('case.erasedOnBy', {
            at: erasure.at.slice(0, 10),
            by: visible(erasure.by),
            reason: visible(erasure.reason),
            classes: erasure.classes.join(', '),
          })}
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
          {rich('case.answeredAnEarlierVerdict', {
            by: visible(earlierAnswer.by),
            severity:
              earlierAnswer.severity !== null &&
              t('case.ofSeverity', { severity: visible(earlierAnswer.severity) }),
            stamp: <Stamp at={earlierAnswer.at} />,
          })}
        </p>
      )}
      {proposal !== null && (
        <p className="case-summary">{rich('case.aRepeatWasJudgedThe', { word: visible(proposal.word) })}</p>
      )}
      {storm !== null && <StormNote storm={storm} caseId={shown.id} />}
      {silence !== null && (
        <p className="case-summary">
          {rich('case.becauseOfABy', {
            messages:
              silence.messages === 0
                ? t('case.silenced')
                : t('case.notSent', { messages: counted('count.message', silence.messages) }),
            link: <Link href="/operate/destinations#silences">{t('case.silence')}</Link>,
            author: visible(silence.author),
            isOver: silence.isOver ? t('case.thatEnded') : t('case.until'),
            stamp: <Stamp at={silence.endsAt} />,
            reason: visible(silence.reason),
            isOver2: silence.isOver ? '' : t('case.ifTheAlertStillFires'),
          })}
        </p>
      )}
      {resolvedAt !== null && (
        <p className="case-summary">
          {rich('case.resolvedAsTheSenderReported', { stamp: <Stamp at={resolvedAt} /> })}
        </p>
      )}
      {flaps > 0 && (
        <p className="case-summary">
          {rich('case.recurringAboveTheHourlyLimit', { flaps: counted('count.occurrence', flaps) })}
        </p>
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
        {rich('case.stormOfTo', {
          cases: counted('count.alert', cases),
          stamp: <Stamp at={firstAt} />,
          stamp2: <Stamp at={lastAt} />,
          root:
            root !== null &&
            (root.dependents > 0
              ? t('case.probableRootDependOnIt', {
                  service: visible(root.service),
                  dependents: counted('count.affectedService', root.dependents),
                })
              : t('case.theFirstAlertIsOf', { service: visible(root.service) })),
          leadCaseId:
            leadCaseId === caseId ? (
              t('case.thisCaseIsJudgedFor')
            ) : (
              <>
                {rich('case.itTookTheVerdictOf', {
                  link: <Link href={`/cases/${leadCaseId}`}>{t('case.theJudgedCase')}</Link>,
                })}
              </>
            ),
        })}
      </p>
      <details>
        <summary>{t('case.otherAlertsOfTheStorm')}</summary>
        <ul>
          {others.map((one) => (
            <li key={one.caseId}>
              <Stamp at={one.beganAt} /> {one.severity}{' '}
              <Link href={`/cases/${one.caseId}`}>{visible(one.name)}</Link>{' '}
            </li>
          ))}
        </ul>
        {cases - 1 > others.length && (
          <p>{rich('case.notListed', { cases: counted('count.moreAlert', cases - 1 - others.length) })}</p>
        )}
      </details>
    </div>
  );
}
