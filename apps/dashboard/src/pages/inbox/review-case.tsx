import type { EvidenceItem, Json, ShownCase, ShownReview, ShownRun } from '@casefile/contracts';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { useCase } from '../../api/queries.js';
import { useOpenReview } from '../../api/reviews.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useActor } from '../../shell/use-actor.js';
import { Badge } from '../../ui/badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { Reason } from '../../ui/reason.js';
import { Age, Stamp } from '../../ui/stamp.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { NeedsReviewer } from '../../ui/withheld.js';
import { AlertContent } from '../case/alert-card.js';
import { shownCaseTitle } from '../case/case-title.js';
import { DeclaredSections, useDisplay } from '../case/declared-sections.js';
import '../case/case.css';
import { actInWords } from './act-in-words.js';
import { ReviewActs } from './review-acts.js';

const FIRST_REASONS = 3;
const FIRST_FACTS = 4;

interface ReviewCaseProps {
  /** The shown case; null: no case waits. */
  id: string | null;
  /** The next case; null: none. */
  next: string | null;
  desk: Pick<ComponentProps<typeof ReviewActs>, 'last' | 'announcement' | 'busy' | 'acted' | 'undone'>;
  /** Shown if no verdict waits. */
  children: ReactNode;
}

/** One case of the desk: what is needed to decide, and the keyboard shortcuts to do it. */
export function ReviewCase({ id, next, desk, children }: ReviewCaseProps) {
  const { name: by } = useActor();
  const review = useOpenReview(id, by);
  const caseQuery = useCase(id);
  // The next case is read in advance, so that it appears without delay.
  useCase(next);
  const failed = review.error ?? caseQuery.error;
  const loadedCase = review.data?.id === id && caseQuery.data?.id === id ? caseQuery.data : undefined;
  return (
    <div className="desk-case">
      {id !== null &&
        (loadedCase !== undefined && review.data !== undefined ? (
          <CaseToDecide review={review.data} shown={loadedCase} by={by} />
        ) : failed !== null ? (
          <Failed what="The case could not be read" error={failed} retry={() => void review.refetch()} />
        ) : (
          <div className="panel">
            <Skeleton lines={8} label="The case is loading" />
          </div>
        ))}
      {id === null && children}
      <ReviewActs
        // The key resets the form for each case, so that typed text belongs to the shown case.
        key={id}
        review={loadedCase === undefined ? null : (review.data ?? null)}
        by={by}
        {...desk}
      />
    </div>
  );
}

function leadingRun({ runs, leadingRunId }: ShownCase): ShownRun | undefined {
  return runs.find(({ id }) => id === leadingRunId);
}

function CaseToDecide({ review, shown, by }: { review: ShownReview; shown: ShownCase; by: string }) {
  const run = leadingRun(shown);
  const alert = shown.alerts.at(-1);
  const display = useDisplay(shown.playbook);
  const others = review.viewers.filter((person) => person !== by);
  const { verdict } = review;
  return (
    <>
      <header className="desk-head">
        <h2 dir="auto">{visible(shownCaseTitle(shown).slice(0, 200))}</h2>
        <div className="case-badges">
          <VerdictBadge disposition={verdict.disposition} word={review.word} />
          <MethodBadge method={verdict.method} />
          <DegradedBadge verdict={verdict} />
          {review.confidenceApplies && <span>{Math.round(verdict.confidence * 100)} % confident</span>}
          <span className="quiet">
            {review.playbook} · decided <Age at={review.since} /> ago
          </span>
          {review.state !== 'open' && <Badge tone="blue">{review.state}</Badge>}
          {review.assignee !== null && <Badge>assigned to {visible(review.assignee)}</Badge>}
          {others.map((person) => (
            <Badge key={person} tone="violet" dot="still">
              {visible(person)} has it open
            </Badge>
          ))}
          <Link href={`/cases/${shown.id}`}>Whole case</Link>
        </div>
      </header>
      {review.history.length > 0 && <ReviewHistory review={review} />}
      <section className="card" aria-label="Verdict">
        <h3>Why</h3>
        {shown.withheld !== undefined && <NeedsReviewer what="The reasons in words" />}
        <ul className="reasons">
          {verdict.reasons.slice(0, FIRST_REASONS).map((reason) => (
            <li key={reason} dir="auto">
              {visible(reason)}
            </li>
          ))}
        </ul>
      </section>
      {run !== undefined && <DeclaredSections shown={shown} run={run} level={3} linked={false} />}
      {alert !== undefined && (
        <section className="card" aria-label="Alert">
          <h3>Alert</h3>
          <AlertContent alert={alert} display={display} isWithheld={shown.withheld !== undefined} />
        </section>
      )}
      {run !== undefined && <Evidence run={run} />}
    </>
  );
}

/** The acts of people, and whether they disagree. */
function ReviewHistory({ review }: { review: ShownReview }) {
  return (
    <section className="card" aria-label="Actions of reviewers">
      {review.state === 'disputed' && (
        <p className="desk-dispute" role="status">
          {countOf(review.answers.length, 'person', 'people')} disagree. The newest answer counts.
        </p>
      )}
      <ul>
        {review.history.map((act) => (
          <li key={act.actId}>
            <strong>{visible(act.by)}</strong> {visible(actInWords(act))}{' '}
            <span className="quiet">
              <Stamp at={act.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Evidence({ run }: { run: ShownRun }) {
  const items = run.evidence.filter(({ success }) => success);
  const cited = new Set(run.verdict?.citations);
  const inOrder = [...items].sort((a, b) => Number(cited.has(b.id)) - Number(cited.has(a.id)));
  return (
    <>
      <section className="card" aria-label="Evidence">
        <h3>Evidence</h3>
        {items.length === 0 && <p className="quiet">No tool returned evidence.</p>}
        <ul className="desk-evidence">
          {inOrder.map((item) => (
            <li key={item.id}>
              <span className="evidence-id num">{item.id}</span> <span className="mono">{item.toolName}</span>{' '}
              <span dir="auto">{visible(item.entityValue)}</span>
              {cited.has(item.id) && <Badge tone="accent">cited</Badge>}
              <p className="quiet">{shortFacts(item)}</p>
            </li>
          ))}
        </ul>
      </section>
      {run.gaps.length > 0 && (
        <section className="card" aria-label="What is missing">
          <h3>What is missing</h3>
          <ul>
            {run.gaps.map((gap) => (
              <li key={gap.id}>
                <span className="mono">{gap.toolName}</span>{' '}
                <span dir="auto">{visible(gap.entityValue)}</span>:{' '}
                {gap.reason === undefined ? 'it failed' : <Reason code={gap.reason} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function shortFacts({ result }: EvidenceItem): string {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return valueText(result);
  return Object.entries(result)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .slice(0, FIRST_FACTS)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(' · ');
}

function valueText(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return visible(typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 200);
}
