import type { PipelineView, LaneFigures } from '@casefile/contracts';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { usePipeline } from '../../api/queries.js';
import { countText, jobsText, percentText, countOf, rateText } from '../../format/numbers.js';
import { useScrollToTarget } from '../../ui/anchored.js';
import { cx } from '../../ui/cx.js';
import { GlossaryWord } from '../../ui/glossary-word.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { PageNotes } from '../../shell/page-notes-list.js';
import { Flow } from './flow.js';
import { OpenSilences } from './open-silences.js';
import { Circuits } from './circuits.js';
import { Rounds } from './flow.js';
import { Budgets, ModelSpendTable } from './spend.js';
import './pipeline.css';
import { Dot } from '../../ui/badge.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';
import { durationText } from '../../format/time.js';

const ActivityChart = lazy(() => import('./activity-chart.js'));
const History = lazy(() => import('./history.js'));

/** Page of the pipeline: activity, throughput, waiting work and cost of the stages. */
export default function PipelinePage() {
  const { data, error, refetch, dataUpdatedAt } = usePipeline();
  useEffect(() => void (document.title = 'Pipeline · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Pipeline</h1>
      </div>
      <PageNotes page="home" readAt={dataUpdatedAt} isFailing={error !== null} />
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
      <OpenSilences />
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
        <Panel title="Live activity" note="counts per 5 s since this page was opened">
          <Suspense fallback={<Skeleton lines={5} label="The chart is loading" />}>
            <ActivityChart />
          </Suspense>
        </Panel>
        <Panel title="Verdicts of the last hour">
          <VerdictShares verdicts={verdicts} />
        </Panel>
        <Panel title="Models" note="last 24 hours">
          <ModelSpendTable models={view.models} />
        </Panel>
        <Panel id="providers" title="Providers and budgets">
          <Circuits providers={view.providers} models={view.models} probes={view.probes} />
          <Budgets budgets={view.budgets} />
        </Panel>
        <Suspense fallback={<Skeleton lines={5} label="The history is loading" />}>
          <History />
        </Suspense>
        <Panel title="Tools" wide>
          <ToolTable tools={view.tools} />
        </Panel>
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

interface PanelProps {
  /** Id by which a URL points at the panel. Default: the title. */
  id?: string;
  title: string;
  note?: string;
  wide?: boolean;
  children: ReactNode;
}

function Panel({ id, title, note, wide = false, children }: PanelProps) {
  const place = useRef<HTMLElement>(null);
  const isTarget = useScrollToTarget(id ?? title, place);
  return (
    <section
      id={id}
      ref={place}
      className={cx('panel', wide && 'panel-wide', isTarget && 'anchored is-target')}
      aria-label={title}
    >
      <header className="panel-head">
        <h2>{title}</h2>
        {note !== undefined && <span className="quiet panel-note">{note}</span>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
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

/** The tools with their lanes. An idle bulk lane is not shown. */
function ToolTable({ tools }: { tools: PipelineView['tools'] }) {
  if (tools.length === 0) return <p className="quiet">No tool is in use.</p>;
  const rows = tools.flatMap(({ tool, lanes }) =>
    lanes.filter((lane) => lane.lane === 'live' || !isIdle(lane)).map((lane) => ({ tool, lane })),
  );
  return (
    <ScrollTable label="Tools by lane">
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col">
            <GlossaryWord>Lane</GlossaryWord>
          </th>
          <th scope="col">Waiting</th>
          <th scope="col">Active</th>
          <th scope="col">Delayed</th>
          <th scope="col">Oldest</th>
          <th scope="col">Per min</th>
          <th scope="col">No answer, 1 h</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ tool, lane }) => (
          <tr key={`${tool} ${lane.lane}`}>
            <th scope="row" className="mono">
              {tool}
            </th>
            <td>{lane.lane}</td>
            <td>{jobsText(lane.waiting)}</td>
            <td>{jobsText(lane.active)}</td>
            <td>{jobsText(lane.delayed)}</td>
            <td>{lane.oldestAgeMs === null ? '–' : durationText(lane.oldestAgeMs)}</td>
            <td>{rateText(lane.ratePerMinute)}</td>
            <NoAnswer lane={lane} />
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

// A tool without its key was not called. This is a missing setting, not a failure.
function NoAnswer({ lane: { failuresLastHour, notConfiguredLastHour } }: { lane: LaneFigures }) {
  if (failuresLastHour > 0) return <td className="cell-bad">{countText(failuresLastHour)}</td>;
  if (notConfiguredLastHour === 0) return <td>0</td>;
  return (
    <td
      className="quiet"
      title={`Not called ${countOf(notConfiguredLastHour, 'time')}: it has no key or URL`}
    >
      not configured
    </td>
  );
}

function isIdle({ waiting, active, delayed, ratePerMinute, ...ended }: LaneFigures): boolean {
  const { failuresLastHour, notConfiguredLastHour } = ended;
  if (waiting === null || active === null || delayed === null) return false;
  return waiting + active + delayed + ratePerMinute + failuresLastHour + notConfiguredLastHour === 0;
}
