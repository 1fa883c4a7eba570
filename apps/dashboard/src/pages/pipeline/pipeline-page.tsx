import type { PipelineView } from '@casefile/contracts';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { usePipeline } from '../../api/queries.js';
import { countText, percentText } from '../../format/numbers.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { Flow } from './flow.js';
import { Circuits } from './circuits.js';
import { Budgets, ModelSpendTable } from './spend.js';
import { ToolTable } from './tool-table.js';
import { VerdictShares } from './verdict-shares.js';
import './pipeline.css';

const ActivityChart = lazy(() => import('./activity-chart.js'));

/** What the stages are doing now, how fast, what waits, what it costs. */
export default function PipelinePage() {
  const { data, error, refetch } = usePipeline();
  useEffect(() => void (document.title = 'Pipeline · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Pipeline</h1>
      </div>
      {data !== undefined ? (
        <Figures view={data} />
      ) : error !== null ? (
        <Failed what="The pipeline could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={9} label="The pipeline is loading" />
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
          href="/dead-letters"
          bad={view.deadLetters > 0}
        />
      </dl>
      <div className="pipeline-grid">
        <Panel title="As it happens" note="counts of 5 s, since this page was opened">
          <Suspense fallback={<Skeleton lines={5} label="The chart is loading" />}>
            <ActivityChart />
          </Suspense>
        </Panel>
        <Panel title="Verdicts of the last hour">
          <VerdictShares verdicts={verdicts} />
        </Panel>
        <Panel title="Tools" wide>
          <ToolTable tools={view.tools} />
        </Panel>
        <Panel title="Models" note="last 24 hours">
          <ModelSpendTable models={view.models} />
        </Panel>
        <Panel title="Providers and budgets">
          <Circuits providers={view.providers} models={view.models} probes={view.probes} />
          <Budgets budgets={view.budgets} />
        </Panel>
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

interface PanelProps {
  title: string;
  note?: string;
  wide?: boolean;
  children: ReactNode;
}

function Panel({ title, note, wide = false, children }: PanelProps) {
  return (
    <section className={wide ? 'panel panel-wide' : 'panel'} aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        {note !== undefined && <span className="quiet panel-note">{note}</span>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  );
}
