import { rich, t } from '../../strings/text.js';
import type { CrossExamination, MailReading, Report, Review, ShownCase, ShownRun } from '@casefile/contracts';
import { JUDGED_PARTS, type JudgedPart } from '@casefile/contracts/display';
import type { ReactNode } from 'react';
import { usePlaybooks } from '../../api/queries.js';
import { readableArtifacts } from '../../api/readable-case.js';
import { visible } from '../../format/visible.js';
import { SafeMarkdown } from '../../ui/markdown.js';
import { useIsWithheld } from '../../ui/withheld.js';
import { AlertCard } from '../case/alert-card.js';
import { DeclaredSections, useDisplay } from '../case/declared-sections.js';
import { evidenceLinks } from '../case/evidence-places.js';
import { Claims } from '../case/examination.js';
import { signWords } from '../case/marked-words.js';
import { WhyVerdict } from '../case/why-verdict.js';
import { shownRunView } from '../kinds/index.js';
import { Sources } from './sources.js';
import './judging.css';

interface JudgingViewProps {
  shown: ShownCase;
  run: ShownRun;
  /** Below what is judged: what the page lets its reader do. */
  children?: ReactNode;
}

/**
 * A case as its kind declares that it is judged: the verdict and the parts to judge, next to the alert and the evidence
 * to which citations lead. The review desk and the page of a case show the same.
 */
export function JudgingView({ shown, run, children }: JudgingViewProps) {
  const { isPending } = usePlaybooks();
  const display = useDisplay(shown.playbook);
  const isWithheld = useIsWithheld('personal');
  if (isPending) return null;
  const alert = shown.alerts.find(({ id }) => id === run.alertId) ?? shown.alerts.at(-1);
  const others = shown.alerts.filter((one) => one !== alert);
  // A kind that is not installed any more declares nothing.
  const judging: readonly JudgedPart[] = display?.judging ?? JUDGED_PARTS;
  const parts = judging.filter((part) => part !== 'alert');
  return (
    <div className="judging">
      <div className={judging[0] === 'alert' ? 'judging-columns judging-alert-first' : 'judging-columns'}>
        <div className="judging-answer" role="region" aria-label={t('judging.theVerdict')}>
          <WhyVerdict run={run} correction={run.id === shown.leadingRunId ? shown.correction : null} />
          {parts.map((part) => (
            <Part key={part} part={part} shown={shown} run={run} />
          ))}
          {children}
          {!judging.includes('report') && <FoldedReport run={run} />}
        </div>
        <div
          className="judging-sources"
          role="region"
          aria-label={t('judging.alertAndEvidence')}
          tabIndex={0}
        >
          <div className="judging-alert">
            {alert !== undefined && (
              <AlertCard
                alert={alert}
                mail={mailOf(run)}
                display={display}
                isWithheld={isWithheld}
                signs={signWords(run.evidence)}
              />
            )}
            {others.length > 0 && (
              <details className="card">
                <summary>{rich('judging.otherAlertsOfThisCase', { others: others.length })}</summary>
                {others.map((one) => (
                  <AlertCard key={one.id} alert={one} mail={null} display={display} isWithheld={isWithheld} />
                ))}
              </details>
            )}
          </div>
          <Sources run={run} />
        </div>
      </div>
    </div>
  );
}

interface PartProps {
  part: Exclude<JudgedPart, 'alert'>;
  shown: ShownCase;
  run: ShownRun;
}

function Part({ part, shown, run }: PartProps) {
  switch (part) {
    case 'sections':
      return <DeclaredSections shown={shown} run={run} level={2} linked />;
    case 'view': {
      const { Card } = shownRunView(run);
      return <Card run={run} />;
    }
    case 'report':
      return reportsOf(run).map(({ unit, markdown }) => (
        <section
          key={unit}
          className="card report"
          aria-label={unit === '' ? t('judging.report') : t('judging.report2', { unit })}
        >
          <ReportText run={run} unit={unit} markdown={markdown} />
        </section>
      ));
    case 'claims':
      return <ExaminedClaims run={run} />;
  }
}

function FoldedReport({ run }: { run: ShownRun }) {
  const reports = reportsOf(run);
  if (reports.length === 0) return null;
  return (
    <details className="card report">
      <summary>{t('judging.report')}</summary>
      {reports.map(({ unit, markdown }) => (
        <ReportText key={unit} run={run} unit={unit} markdown={markdown} />
      ))}
    </details>
  );
}

function ReportText({ run, unit, markdown }: { run: ShownRun; unit: string; markdown: string }) {
  return <SafeMarkdown text={visible(markdown)} links={evidenceLinks(run, unit)} />;
}

/** Claims of the answer, each with the words of its source that support or contradict it. */
function ExaminedClaims({ run }: { run: ShownRun }) {
  const examined = newestOf<Review>(run, 'review').flatMap(
    ({ unit, body: { crossExamination } }): { unit: string; examined: CrossExamination }[] =>
      crossExamination === undefined ? [] : [{ unit, examined: crossExamination }],
  );
  const shown = examined.filter(({ examined: { claims, failed } }) => claims.length > 0 || failed !== null);
  if (shown.length === 0) return null;
  return (
    <section className="card" aria-label={t('judging.claims')}>
      <header className="card-head">
        <h2>{t('judging.claimsComparedWithTheirSources')}</h2>
      </header>
      {shown.map(({ unit, examined: one }) => (
        <Claims key={unit} examined={one} links={evidenceLinks(run, unit)} />
      ))}
    </section>
  );
}

function reportsOf(run: ShownRun): { unit: string; markdown: string }[] {
  return newestOf<Report>(run, 'report').map(({ unit, body: { markdown } }) => ({ unit, markdown }));
}

/** Returns the artifact of each unit in its newest round, of those that the role of the reader gets. */
function newestOf<Body>(run: ShownRun, name: string): { unit: string; body: Body }[] {
  const newest = new Map<string, { unit: string; round: number; body: Body }>();
  for (const { artifact, unit, round, body } of readableArtifacts(run.artifacts))
    // The executor validated each body against its schema before writing it.
    if (artifact === name && round >= (newest.get(unit)?.round ?? 0))
      newest.set(unit, { unit, round, body: body as unknown as Body });
  return [...newest.values()];
}

function mailOf(run: ShownRun): MailReading | null {
  return newestOf<{ mail?: MailReading }>(run, 'brief').find(({ unit }) => unit === '')?.body.mail ?? null;
}
