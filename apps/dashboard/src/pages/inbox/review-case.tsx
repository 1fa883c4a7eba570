import { counted, rich, t } from '../../strings/text.js';
import type { ShownCase, ShownReview, ShownRun } from '@casefile/contracts';
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useCase } from '../../api/queries.js';
import { useOpenReview } from '../../api/reviews.js';
import { visible } from '../../format/visible.js';
import { useActor } from '../../shell/use-actor.js';
import { Badge } from '../../ui/badge.js';
import { Age, Stamp } from '../../ui/stamp.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { WithheldFields } from '../../ui/withheld.js';
import { shownCaseTitle } from '../case/case-title.js';
import '../case/case.css';
import { JudgingView } from '../judging/judging-view.js';
import { actInWords } from './act-in-words.js';
import { ReviewActs } from './review-acts.js';

const NOTHING_WITHHELD: NonNullable<ShownCase['withheld']> = [];

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
  // A citation of the case before must not scroll this one.
  useEffect(() => {
    if (window.location.hash !== '') window.history.replaceState(window.history.state, '', hashless());
  }, [id]);
  // The next case is read from its beginning.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => void top.current?.scrollTo(0, 0), [id]);
  const failed = review.error ?? caseQuery.error;
  const loadedCase = review.data?.id === id && caseQuery.data?.id === id ? caseQuery.data : undefined;
  return (
    <div className="desk-case" ref={top}>
      {id !== null &&
        (loadedCase !== undefined && review.data !== undefined ? (
          <CaseToDecide review={review.data} shown={loadedCase} by={by} />
        ) : failed !== null ? (
          <Failed what={t('inbox.theCaseCouldNotBe')} error={failed} retry={() => void review.refetch()} />
        ) : (
          <div className="panel">
            <Skeleton lines={8} label={t('inbox.theCaseIsLoading')} />
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

const hashless = () => `${window.location.pathname}${window.location.search}`;

function leadingRun({ runs, leadingRunId }: ShownCase): ShownRun | undefined {
  return runs.find(({ id }) => id === leadingRunId);
}

function CaseToDecide({ review, shown, by }: { review: ShownReview; shown: ShownCase; by: string }) {
  const run = leadingRun(shown);
  const others = review.viewers.filter((person) => person !== by);
  return (
    <>
      <header className="desk-head">
        <h2 dir="auto">{visible(shownCaseTitle(shown).slice(0, 200))}</h2>
        <div className="case-badges">
          <span className="quiet">
            {rich('inbox.decidedAgo', { playbook: review.playbook, age: <Age at={review.since} /> })}
          </span>
          {review.state !== 'open' && <Badge tone="blue">{review.state}</Badge>}
          {review.assignee !== null && (
            <Badge>{rich('inbox.assignedTo2', { assignee: visible(review.assignee) })}</Badge>
          )}
          {others.map((person) => (
            <Badge key={person} tone="violet" dot="still">
              {rich('inbox.hasItOpen', { person: visible(person) })}
            </Badge>
          ))}
          <Link href={`/cases/${shown.id}`}>{t('inbox.wholeCase')}</Link>
        </div>
      </header>
      {review.history.length > 0 && <ReviewHistory review={review} />}
      {run !== undefined && (
        <WithheldFields value={shown.withheld ?? NOTHING_WITHHELD}>
          <JudgingView shown={shown} run={run} />
        </WithheldFields>
      )}
    </>
  );
}

/** The acts of people, and whether they disagree. */
function ReviewHistory({ review }: { review: ShownReview }) {
  return (
    <section className="card" aria-label={t('inbox.actionsOfReviewers')}>
      {review.state === 'disputed' && (
        <p className="desk-dispute" role="status">
          {rich('inbox.disagreeTheNewestAnswerCounts', {
            answers: counted('count.person', review.answers.length),
          })}
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
