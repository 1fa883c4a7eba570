import { rich, t } from '../../strings/text.js';
import type { ShownCase, ShownRun } from '@casefile/contracts';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useCase } from '../../api/queries.js';
import { ApiProblem } from '../../api/request.js';
import { AcknowledgeCard } from './acknowledge-card.js';
import { useTarget } from '../../ui/anchored.js';
import { Badge } from '../../ui/badge.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age } from '../../ui/stamp.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { WithheldFields } from '../../ui/withheld.js';
import { JudgingView } from '../judging/judging-view.js';
import { QuestionCard } from './asked-card.js';
import { CaseHead } from './case-head.js';
import { CASE_TABS, caseTab, type CaseTab } from './case-tab.js';
import { shownCaseTitle } from './case-title.js';
import './case.css';
import { FeedbackCard } from './feedback-card.js';

// Parts that most visits of the page do not show.
const ComparedRuns = lazy(() => import('./compare-runs.js'));
const TraceTab = lazy(() => import('./trace-tab.js'));
const HistoryTab = lazy(() => import('./history-tab.js'));
const RawTab = lazy(() => import('./raw-tab.js'));

const NOTHING: NonNullable<ShownCase['withheld']> = [];

/**
 * Page of one case: the reasons of its verdict and each step from the alert on. Live while a run is active.
 */
export default function CasePage({ caseId }: { caseId: string }) {
  const { data, error, refetch } = useCase(caseId);
  const [search] = useSearchParams();
  useEffect(
    () =>
      void (document.title = `${data === undefined ? t('case.case') : shownCaseTitle(data).slice(0, 50)} · Casefile`),
    [data],
  );
  if (data === undefined) {
    if (error instanceof ApiProblem && error.status === 404)
      return (
        <Empty page title={t('case.noCaseHasThisId')}>
          <Link href="/cases">{t('case.backToTheCases')}</Link>
        </Empty>
      );
    if (error !== null)
      return <Failed page what={t('case.theCaseCouldNotBe')} error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={10} label={t('case.theCaseIsLoading')} />
      </div>
    );
  }
  const run = data.runs.find(({ id }) => id === search.get('run')) ?? mainRun(data);
  const other = data.runs.find(({ id }) => id === search.get('with'));
  return (
    <WithheldFields value={data.withheld ?? NOTHING}>
      <CaseHead shown={data} run={run} />
      {search.get('acknowledge') !== null && <AcknowledgeCard caseId={data.id} />}
      {data.runs.length > 1 && run !== undefined && <RunTabs runs={data.runs} run={run} other={other} />}
      {run !== undefined && other !== undefined && other !== run ? (
        <Part>
          <ComparedRuns runs={[run, other]} />
        </Part>
      ) : (
        run !== undefined && <CaseTabs shown={data} run={run} />
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

/** A part that is loaded when it is shown. */
function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton lines={6} label={t('case.theCaseIsLoading')} />}>{children}</Suspense>;
}

/** The tabs of a case, and the chosen one. */
function CaseTabs({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const [location] = useLocation();
  const [search] = useSearchParams();
  const tab = caseTab(search.get('tab'), useTarget(), run);
  const addressOf = (name: CaseTab): string => {
    const query = new URLSearchParams(search);
    query.set('tab', name);
    return `${location}?${query.toString()}`;
  };
  return (
    <>
      <nav className="tabs case-tabs" aria-label={t('case.partsOfThisCase')}>
        {CASE_TABS.map(([name, title]) => (
          <Link
            key={name}
            href={addressOf(name)}
            className="tab"
            data-active={name === tab ? '' : undefined}
            aria-current={name === tab ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {tab === 'answer' && <AnswerTab shown={shown} run={run} />}
      <Part>
        {tab === 'trace' && <TraceTab shown={shown} run={run} />}
        {tab === 'history' && <HistoryTab shown={shown} run={run} />}
        {tab === 'raw' && <RawTab shown={shown} run={run} />}
      </Part>
    </>
  );
}

function AnswerTab({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const isLabelled = shown.withheld === undefined && run.verdict !== null && run.id === shown.leadingRunId;
  return (
    <>
      <QuestionCard run={run} />
      <JudgingView shown={shown} run={run}>
        {isLabelled && run.verdict !== null && (
          <FeedbackCard
            caseId={shown.id}
            playbook={shown.playbook}
            verdict={run.verdict}
            isAnswered={shown.isAnswered ?? false}
          />
        )}
      </JudgingView>
    </>
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
    <nav className="run-tabs" aria-label={t('case.runsOfThisCase')}>
      <ul>
        {runs.map((it, index) => (
          <li key={it.id}>
            <Link
              href={`${location}?run=${it.id}`}
              className={it === run ? 'run-tab run-tab-current' : 'run-tab'}
              aria-current={it === run ? 'true' : undefined}
            >
              <span className="run-number">{rich('case.run', { index: index + 1 })}</span>
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
        {rich('case.compareWith', {
          select: (
            <select
              className="field"
              value={other?.id ?? ''}
              onChange={({ target: { value } }) =>
                navigate(`${location}?run=${run.id}${value === '' ? '' : `&with=${value}`}`)
              }
            >
              <option value="">{t('case.noOtherRun')}</option>
              {runs.map((it, index) =>
                it === run ? null : (
                  <option key={it.id} value={it.id}>
                    {rich('case.run2', { index: index + 1, lane: it.lane })}
                  </option>
                ),
              )}
            </select>
          ),
        })}
      </label>
    </nav>
  );
}
