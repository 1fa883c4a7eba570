import type { ShownCase, ShownRun } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { ApiProblem } from '../../api/request.js';
import { useCase } from '../../api/queries.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { AlertCard } from './alert-card.js';
import { AskedCard } from './asked-card.js';
import { CaseHead } from './case-head.js';
import { titleOf } from './case-title.js';
import { CompareRuns } from './compare-runs.js';
import { viewOf } from '../kinds/index.js';
import { FeedbackCard } from './feedback-card.js';
import { RunDifferences } from './run-difference.js';
import { RunTabs } from './run-tabs.js';
import { Timeline } from './timeline-view.js';
import { WhyVerdict } from './why-verdict.js';
import './case.css';

/** One case: why its verdict came out as it did, and how, from the alert on. Live while a run goes on. */
export default function CasePage({ caseId }: { caseId: string }) {
  const { data, error, refetch } = useCase(caseId);
  const [search] = useSearchParams();
  useEffect(
    () => void (document.title = `${data === undefined ? 'Case' : titleOf(data).slice(0, 50)} · Casefile`),
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
  const Card = run === undefined ? undefined : viewOf(run).Card;
  const other = data.runs.find(({ id }) => id === search.get('with'));
  return (
    <>
      <CaseHead shown={data} run={run} />
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
            {run?.verdict != null && run.id === data.leadingRunId && (
              <FeedbackCard caseId={data.id} playbook={data.playbook} verdict={run.verdict} />
            )}
          </div>
          <div className="case-timeline">
            {run !== undefined && <AskedCard run={run} />}
            {run !== undefined && Card !== undefined && <Card run={run} />}
            {data.alerts.map((alert) => (
              <AlertCard key={alert.id} alert={alert} />
            ))}
            {run !== undefined && <Timeline run={run} />}
          </div>
        </div>
      )}
    </>
  );
}

/** The run whose verdict counts; of a console that does not say so, the newest live one; where there is none, the newest. */
function mainRun({ runs, leadingRunId }: ShownCase): ShownRun | undefined {
  const leading = runs.find(({ id }) => id === leadingRunId);
  return leading ?? runs.findLast(({ lane }) => lane === 'live') ?? runs.at(-1);
}
