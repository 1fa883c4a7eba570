import { counted, rich, t } from '../../strings/text.js';
import type { ArtifactRecord, Brief, Draft, Report, Review, ShownRun, Verdict } from '@casefile/contracts';
import { isReadable } from '../../api/readable-case.js';
import { percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { inWords } from '../../format/words.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { CitedText } from '../../ui/cited-text.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { Reason } from '../../ui/reason.js';
import { JsonView } from '../../ui/json-view.js';
import { SafeMarkdown } from '../../ui/markdown.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { NeedsReviewer } from '../../ui/withheld.js';
import { Citations } from './citations.js';
import { shownRunView } from '../kinds/index.js';
import { evidenceLinks } from './evidence-places.js';
import { Examination } from './examination.js';
import { findingChanges, type FindingChange } from './finding-changes.js';

/** Shows an artifact of a stage. */
export function ArtifactView({ run, record }: { run: ShownRun; record: ArtifactRecord }) {
  if (record.artifact === 'verdict') return <VerdictLine run={run} />;
  if (!isReadable(record)) return <NeedsReviewer what={t('case.the', { artifact: record.artifact })} />;
  // The executor validated each body against its schema before writing it.
  const body = record.body as unknown;
  switch (record.artifact) {
    case 'brief':
      return <BriefView brief={body as Brief} run={run} />;
    case 'draft':
      return <DraftView draft={body as Draft} run={run} unit={record.unit} />;
    case 'review':
      return <ReviewView review={body as Review} run={run} record={record} />;
    case 'report':
      return <ReportView report={body as Report} run={run} unit={record.unit} />;
    default:
      return <JsonView value={record.body} label={t('case.the2', { artifact: record.artifact })} />;
  }
}

function BriefView({ brief, run }: { brief: Brief; run: ShownRun }) {
  const { Brief: OfKind } = shownRunView(run);
  const entities = Object.entries(brief.entities).filter(([, values]) => values.length > 0);
  return (
    <div className="card">
      {brief.textSource !== 'text' && (
        <div className="brief-text">
          <p className="quiet">
            {brief.textSource === 'ocr'
              ? t('case.readFromTheImage')
              : t('case.textFrom', { textSource: brief.textSource })}
            {brief.ocrConfidence !== undefined &&
              t('case.withConfidence', { ocrConfidence: Math.round(brief.ocrConfidence) })}
          </p>
          <blockquote className="alert-text" dir="auto">
            {visible(brief.text) || t('case.noTextCouldBeRead')}
          </blockquote>
        </div>
      )}
      {entities.length === 0 ? (
        brief.input === undefined && <p className="quiet">{t('case.theAlertNamesNothingThat')}</p>
      ) : (
        <dl className="entities">
          {entities.map(([type, values]) => (
            <div key={type}>
              <dt>{type}</dt>
              <dd>
                {values.map((value) => (
                  <span key={value} className="chip mono" dir="auto">
                    {visible(value)}
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <OfKind run={run} />
      <ul className="brief-notes">
        {brief.language !== undefined && (
          <li>
            {rich('case.languageCertain', {
              code: brief.language.code,
              certainty: percentText(brief.language.certainty),
            })}
          </li>
        )}
        {!brief.collect && <li>{t('case.theSenderExcludedAllTools')}</li>}
        {brief.given.length > 0 && (
          <li>{rich('case.ofEvidenceCameWithThe', { given: counted('count.piece', brief.given.length) })}</li>
        )}
        {brief.notes.map((note) => (
          <li key={note} className="brief-warning">
            {visible(note)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function DraftView({ draft, run, unit }: { draft: Draft; run: ShownRun; unit: string }) {
  const links = evidenceLinks(run, unit);
  return (
    <div className="card">
      <header className="card-head">
        <h3>{t('case.draft')}</h3>
        <MethodBadge method={draft.method} />
        <span className="num quiet">
          {rich('case.confident', { confidence: percentText(draft.confidence) })}
        </span>
        {draft.fallbackReason !== undefined && (
          <span className="draft-fallback">
            {rich('case.fallback', { reason: <Reason code={draft.fallbackReason} /> })}
          </span>
        )}
        {draft.remarks.map((remark) => (
          <Badge key={remark} tone="amber">
            <Reason code={remark} />
          </Badge>
        ))}
      </header>
      <SafeMarkdown text={visible(draft.explanation)} links={links} />
      <Citations ids={draft.evidenceUsed} run={run} unit={unit} label={t('case.restsOn')} />
      {draft.queries !== undefined && draft.queries.length > 0 && (
        <p className="quiet">
          {rich('case.searchesForMore', { queries: draft.queries.map(visible).join(' · ') })}
        </p>
      )}
      <details className="more">
        <summary>{t('case.answerAsData')}</summary>
        <JsonView value={draft.answer} label={t('case.theDraftsAnswer')} />
      </details>
    </div>
  );
}

/** Names of reviewers that are no model. Others are shown by their own name. */
const REVIEWERS: Record<string, string | undefined> = {
  mechanical: t('case.checkedByRules'),
  'verified-citations': t('case.itsCitationsComparedWithThe'),
  'verified-readings': t('case.itsCitationsComparedWithWhat'),
};

const CHANGES: Record<FindingChange['change'], { tone: Tone; word: string }> = {
  new: { tone: 'accent', word: t('case.findingIsNew') },
  repeated: { tone: 'amber', word: t('case.findingIsRepeated') },
  solved: { tone: 'green', word: t('case.findingIsSolved') },
};
const RULING_TONES: Record<Review['ruling'], Tone> = { PASS: 'green', WARN: 'amber', REJECT: 'red' };

function ReviewView({ review, run, record }: { review: Review; run: ShownRun; record: ArtifactRecord }) {
  const changes = findingChanges(run.artifacts, record);
  const links = evidenceLinks(run, record.unit);
  return (
    <div className="card">
      <header className="card-head">
        <Badge tone={RULING_TONES[review.ruling]} dot="still">
          {review.ruling}
        </Badge>
        <span className="quiet">
          {REVIEWERS[review.reviewer] ?? t('case.by', { reviewer: inWords(review.reviewer) })}
        </span>
      </header>
      {review.findings.length === 0 && (
        <p className="quiet">
          {review.ruling === 'PASS' ? t('case.theReviewFoundNoProblem') : t('case.theReviewListsNoFindings')}
        </p>
      )}
      <ul className="findings">
        {changes.map(({ finding, change }) => (
          <li key={finding.id} className={`finding finding-${change}`}>
            <strong title={finding.code}>{inWords(finding.code)}</strong>
            <span className="finding-text">
              <CitedText text={finding.message} links={links} />
            </span>
            {record.round > 1 && <Badge tone={CHANGES[change].tone}>{CHANGES[change].word}</Badge>}
          </li>
        ))}
      </ul>
      {review.crossExamination !== undefined && (
        <Examination examined={review.crossExamination} links={links} />
      )}
    </div>
  );
}

function ReportView({ report, run, unit }: { report: Report; run: ShownRun; unit: string }) {
  return (
    <div className="card report">
      <SafeMarkdown text={report.markdown} links={evidenceLinks(run, unit)} />
    </div>
  );
}

function surenessText({ confidence }: Verdict, presentation: ShownRun['presentation']): string {
  return presentation?.confidenceApplies === false
    ? t('case.needsReview', { answer: presentation.answer })
    : t('case.confident', { confidence: percentText(confidence) });
}

function VerdictLine({ run }: { run: ShownRun }) {
  if (run.verdict === null) return null;
  return (
    <div className="card verdict-line">
      <VerdictBadge disposition={run.verdict.disposition} word={run.presentation?.word} />
      <span className="num">{surenessText(run.verdict, run.presentation)}</span>
      <a href="#verdict">{t('case.whyThisVerdict')}</a>
    </div>
  );
}
