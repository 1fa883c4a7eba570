import type { ShownCase, ShownRun } from '@casefile/contracts';
import { Link } from 'wouter';
import { useCase } from '../../api/queries.js';
import { visible } from '../../format/visible.js';
import { t } from '../../strings/text.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';
import { QuestionCard } from '../case/asked-card.js';
import '../case/case.css';
import { RunTrouble } from '../case/run-trouble.js';
import { judgingProgress } from './judging-progress.js';

/** The case of a submitted alert: its progress while it is judged, then its verdict with the reasons. */
export function SubmittedCase({ caseId, another }: { caseId: string; another(): void }) {
  const shown = useCase(caseId);
  return (
    <section className="submitted" aria-label={t('submit.theSubmittedCase')}>
      <Answer of={shown} what={t('inbox.theCase')}>
        {(data) => <Progress shown={data} />}
      </Answer>
      <div className="form-actions">
        <Link className="button button-primary" href={`/cases/${caseId}`}>
          {t('inbox.wholeCase')}
        </Link>
        <Button onClick={another}>{t('submit.submitAnother')}</Button>
      </div>
    </section>
  );
}

function Progress({ shown }: { shown: ShownCase }) {
  const run = shown.runs.find(({ id }) => id === shown.leadingRunId) ?? shown.runs.at(-1);
  if (run === undefined) return null;
  if (run.verdict !== null) return <Verdict run={run} />;
  const { done, total, next } = judgingProgress(run);
  return (
    <>
      <div className="card submitted-progress" role="status">
        <label>
          {next === null ? t('case.noVerdictYet') : t('submit.stepOf', { step: done + 1, total, next })}
          <progress max={total} value={done} />
        </label>
      </div>
      <RunTrouble run={run} />
      <QuestionCard run={run} />
    </>
  );
}

function Verdict({ run: { verdict, presentation } }: { run: ShownRun }) {
  if (verdict === null) return null;
  return (
    <article className={`card why tone-${toneOfDisposition(verdict.disposition)}`} role="status">
      <header className="why-head">
        <p className="why-disposition">{visible(presentation?.word ?? verdict.disposition)}</p>
        <MethodBadge method={verdict.method} />
      </header>
      {presentation != null && presentation.summary !== '' && (
        <p className="why-summary">{visible(presentation.summary)}</p>
      )}
      <h2 className="why-title">{t('case.whyThisVerdict')}</h2>
      <ul className="reasons">
        {verdict.reasons.map((reason) => (
          <li key={reason}>{visible(reason)}</li>
        ))}
      </ul>
    </article>
  );
}
