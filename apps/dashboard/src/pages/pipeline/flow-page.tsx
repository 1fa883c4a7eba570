import type { PipelineView } from '@casefile/contracts';
import { lazy, Suspense, useEffect } from 'react';
import { Link } from 'wouter';
import { usePipeline } from '../../api/queries.js';
import { countText, percentText } from '../../format/numbers.js';
import { Panel } from '../../ui/panel.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { PageNotes } from '../../shell/page-notes-list.js';
import { Flow } from './flow.js';
import { Rounds } from './flow.js';
import './pipeline.css';
import { Dot } from '../../ui/badge.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';

const ActivityChart = lazy(() => import('./activity-chart.js'));
const History = lazy(() => import('./history.js'));

/** Page of the flow: the stages with their waiting work, activity, and history. */
export default function FlowPage() {
  const { data, error, refetch, dataUpdatedAt } = usePipeline();
  useEffect(() => void (document.title = 'Flow · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Flow</h1>
      </div>
      <PageNotes page="home" readAt={dataUpdatedAt} isFailing={error !== null} />
      {data !== undefined ? (
        <Figures view={data} />
      ) : error !== null ? (
        <Failed what="The flow could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={9} label="The flow is loading" />
        </div>
      )}
    </>
  );
}

function Figures({ view }: { view: PipelineView }) {
  const { verdicts } = view;
  return (
    <>
      <Flow stages={view.stages} />
      <dl className="tiles">
        <Tile name="Verdicts, last hour" value={countText(verdicts.lastHour)} href="/cases?status=decided" />
        <Tile name="Unfinished runs" value={countText(view.backlog)} href="/cases?status=open" />
        <Tile name="Fallback rate" value={shareText(verdicts.fallbackRate)} href="/cases?degraded=true" />
        <Tile
          name="Left to a person"
          value={shareText(verdicts.abstainRate)}
          href="/cases?disposition=review"
        />
        <Tile
          name="Dead letters"
          value={countText(view.deadLetters)}
          href="/inbox?type=letter"
          bad={view.deadLetters > 0}
        />
      </dl>
      <div className="pipeline-grid">
        <Panel title="Live activity" note="counts per 5 s since this page was opened">
          <Suspense fallback={<Skeleton lines={5} label="The chart is loading" />}>
            <ActivityChart />
          </Suspense>
        </Panel>
        <Panel title="Verdicts of the last hour">
          <VerdictShares verdicts={verdicts} />
        </Panel>
        <Suspense fallback={<Skeleton lines={5} label="The history is loading" />}>
          <History />
        </Suspense>
        {view.rounds !== undefined && (
          <Panel title="Rounds" note="last 24 hours" wide>
            <Rounds rounds={view.rounds} />
          </Panel>
        )}
      </div>
    </>
  );
}

function shareText(share: number | null): string {
  return share === null ? '–' : percentText(share);
}

function Tile({
  name,
  value,
  href,
  bad = false,
}: {
  name: string;
  value: string;
  href: string;
  bad?: boolean;
}) {
  return (
    <div className={bad ? 'tile tile-bad' : 'tile'}>
      <dt>{name}</dt>
      <dd className="num">
        <Link href={href}>{value}</Link>
      </dd>
    </div>
  );
}

const ORDER = ['act', 'review', 'dismiss'];

/** Shares of the verdicts of the last hour. */
function VerdictShares({ verdicts }: { verdicts: PipelineView['verdicts'] }) {
  const counts = ORDER.map((name) => [name, verdicts.byDisposition[name] ?? 0] as const);
  const total = counts.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return <p className="quiet">No verdict.</p>;
  return (
    <>
      <svg className="shares" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {counts.map(([name, n], i) => {
          const before = counts.slice(0, i).reduce((sum, [, it]) => sum + it, 0);
          return (
            <rect
              key={name}
              className={`share tone-${toneOfDisposition(name)}`}
              x={(before / total) * 100}
              width={(n / total) * 100}
              height={6}
            />
          );
        })}
      </svg>
      <dl className="share-list">
        {counts.map(([name, n]) => (
          <div key={name}>
            <dt>
              <Dot tone={toneOfDisposition(name)} /> <Link href={`/cases?disposition=${name}`}>{name}</Link>
            </dt>
            <dd className="num">
              {countText(n)} <span className="quiet">{percentText(n / total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
