import type { ShownAlert, ShownCase, ShownRun } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useCase } from '../../api/queries.js';
import { ApiProblem } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { AcknowledgeCard } from './acknowledge-card.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { Badge } from '../../ui/badge.js';
import { JsonView } from '../../ui/json-view.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age, Stamp } from '../../ui/stamp.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { NeedsReviewer, useIsWithheld, WithheldFields } from '../../ui/withheld.js';
import { shownRunView } from '../kinds/index.js';
import { QuestionCard } from './asked-card.js';
import { CaseHead } from './case-head.js';
import { shownCaseTitle } from './case-title.js';
import './case.css';
import { CompareRuns } from './compare-runs.js';
import { FeedbackCard } from './feedback-card.js';
import { RunDifferences } from './compare-runs.js';
import { Timeline } from './timeline-view.js';
import { RunWaterfall } from './waterfall.js';
import { WhyVerdict } from './why-verdict.js';

const NOTHING: NonNullable<ShownCase['withheld']> = [];

/**
 * Page of one case: the reasons of its verdict and each step from the alert on. Live while a run is active.
 */
export default function CasePage({ caseId }: { caseId: string }) {
  const { data, error, refetch } = useCase(caseId);
  const [search] = useSearchParams();
  useEffect(
    () =>
      void (document.title = `${data === undefined ? 'Case' : shownCaseTitle(data).slice(0, 50)} · Casefile`),
    [data],
  );
  if (data === undefined) {
    if (error instanceof ApiProblem && error.status === 404)
      return (
        <Empty page title="No case has this id">
          <Link href="/cases">Back to the cases</Link>
        </Empty>
      );
    if (error !== null)
      return <Failed page what="The case could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={10} label="The case is loading" />
      </div>
    );
  }
  const run = data.runs.find(({ id }) => id === search.get('run')) ?? mainRun(data);
  const Card = run === undefined ? undefined : shownRunView(run).Card;
  const other = data.runs.find(({ id }) => id === search.get('with'));
  return (
    <WithheldFields value={data.withheld ?? NOTHING}>
      <CaseHead shown={data} run={run} />
      {search.get('acknowledge') !== null && <AcknowledgeCard caseId={data.id} />}
      {data.runs.length > 1 && run !== undefined && <RunTabs runs={data.runs} run={run} other={other} />}
      {run !== undefined && other !== undefined && other !== run ? (
        <>
          <RunDifferences runs={[run, other]} />
          <h3 className="visually-hidden">Fact by fact</h3>
          <CompareRuns runs={[run, other]} />
        </>
      ) : (
        <div className="case-columns">
          <div className="case-why" role="region" aria-label="The verdict" tabIndex={0}>
            {run !== undefined && <WhyVerdict run={run} />}
            {data.withheld === undefined && run?.verdict != null && run.id === data.leadingRunId && (
              <FeedbackCard caseId={data.id} playbook={data.playbook} verdict={run.verdict} />
            )}
          </div>
          <div className="case-timeline">
            {run !== undefined && <QuestionCard run={run} />}
            {run !== undefined && Card !== undefined && <Card run={run} />}
            {run !== undefined && <RunWaterfall run={run} />}
            {data.alerts.map((alert) => (
              <AlertCard key={alert.id} alert={alert} />
            ))}
            {run !== undefined && <Timeline run={run} />}
          </div>
        </div>
      )}
    </WithheldFields>
  );
}

/**
 * Returns the run whose verdict counts. An older API does not name this run; then the newest live run is
 * used, or else the newest run.
 */
function mainRun({ runs, leadingRunId }: ShownCase): ShownRun | undefined {
  const leading = runs.find(({ id }) => id === leadingRunId);
  return leading ?? runs.findLast(({ lane }) => lane === 'live') ?? runs.at(-1);
}

/** The alert as it was received: text, image, payload. All of it is shown as plain text. */
function AlertCard({ alert }: { alert: ShownAlert }) {
  const { id, text, image, payload, source, labels, receivedAt } = alert;
  const isWithheld = useIsWithheld('personal');
  return (
    <Anchored id={`alert-${id}`} name="The alert" className="card alert-card">
      <header className="card-head">
        <h2>Alert</h2>
        {source !== undefined && <span className="quiet">from {visible(source)}</span>}
        <AnchorLink id={`alert-${id}`} name="the alert" />
        <span className="card-end quiet">
          <Stamp at={receivedAt} />
        </span>
      </header>
      {isWithheld && <NeedsReviewer what="What the alert says" />}
      {text !== undefined && text.trim() !== '' && (
        <blockquote className="alert-text" dir="auto">
          {visible(text)}
        </blockquote>
      )}
      {image !== undefined && (
        <a href={image.url} target="_blank" rel="noopener" className="alert-image">
          <img src={image.url} alt="The image of the alert as it was received" loading="lazy" />
        </a>
      )}
      {payload !== undefined && <JsonView value={payload} label="the payload" />}
      {labels !== undefined && Object.keys(labels).length > 0 && (
        <ul className="chips">
          {Object.entries(labels).map(([name, value]) => (
            <li key={name} className="chip">
              <span className="quiet">{name}</span> {visible(value)}
            </li>
          ))}
        </ul>
      )}
    </Anchored>
  );
}

interface TabsProps {
  runs: ShownRun[];
  run: ShownRun;
  /** The run to compare with, if any. */
  other: ShownRun | undefined;
}

/** Tabs of the runs of a case. They mark the run shown and the run it is compared with. */
function RunTabs({ runs, run, other }: TabsProps) {
  const [location, navigate] = useLocation();
  return (
    <nav className="run-tabs" aria-label="Runs of this case">
      <ul>
        {runs.map((it, index) => (
          <li key={it.id}>
            <Link
              href={`${location}?run=${it.id}`}
              className={it === run ? 'run-tab run-tab-current' : 'run-tab'}
              aria-current={it === run ? 'true' : undefined}
            >
              <span className="run-number">Run {index + 1}</span>
              {it.verdict === null ? (
                <RunStatusBadge status={it.status} stage={it.stage} />
              ) : (
                <VerdictBadge disposition={it.verdict.disposition} word={it.presentation?.word} />
              )}
              {it.lane !== 'live' && <Badge tone="violet">{it.lane}</Badge>}
              <span className="quiet">
                <Age at={it.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <label className="compare-choice">
        Compare with
        <select
          className="field"
          value={other?.id ?? ''}
          onChange={({ target: { value } }) =>
            navigate(`${location}?run=${run.id}${value === '' ? '' : `&with=${value}`}`)
          }
        >
          <option value="">no other run</option>
          {runs.map((it, index) =>
            it === run ? null : (
              <option key={it.id} value={it.id}>
                run {index + 1} ({it.lane})
              </option>
            ),
          )}
        </select>
      </label>
    </nav>
  );
}
