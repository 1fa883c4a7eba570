import type { LaneFigures, PipelineView } from '@casefile/contracts';
import { CornerLeftUp } from 'lucide-react';
import { useRef } from 'react';
import { useConditions } from '../../api/queries.js';
import { countOf, countText, jobsText, percentText, rateText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { useScrollToTarget } from '../../ui/anchored.js';
import { Badge, Dot } from '../../ui/badge.js';
import { cx } from '../../ui/cx.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';

type StageFigures = PipelineView['stages'][number];

/** Backward edges of the flow with their labels. */
const LOOPS = [
  { from: 'reason', to: 'collect', name: 'search' },
  { from: 'critique', to: 'reason', name: 'revise' },
] as const;

/** The stages in order, the backward edges, and the activity of each stage per lane. */
export function Flow({ stages }: { stages: StageFigures[] }) {
  const element = useRef<HTMLElement>(null);
  const isTarget = useScrollToTarget('flow', element);
  const absent = useAbsentServices();
  const place = (stage: string): number => stages.findIndex((it) => it.stage === stage) + 1;
  return (
    <section
      id="flow"
      ref={element}
      className={cx('panel flow anchored', isTarget && 'is-target')}
      aria-label="The flow"
    >
      <ol className="flow-stages">
        {stages.map((stage) => (
          <Stage key={stage.stage} stage={stage} isAbsent={absent.has(stage.app)} />
        ))}
      </ol>
      <div className="flow-loops" aria-hidden="true">
        {LOOPS.map(({ from, to, name }) =>
          place(from) === 0 || place(to) === 0 ? null : (
            <span key={name} className={`flow-loop flow-loop-${place(to)}`}>
              <span>
                <CornerLeftUp size={12} /> {name}
              </span>
            </span>
          ),
        )}
      </div>
    </section>
  );
}

const ABSENT = 'service_absent.';

/** Returns the services that no process runs, as the conditions report them. */
function useAbsentServices(): ReadonlySet<string> {
  const conditions = useConditions().data?.conditions ?? [];
  return new Set(conditions.flatMap(({ id }) => (id.startsWith(ABSENT) ? [id.slice(ABSENT.length)] : [])));
}

function Stage({ stage: { stage, app, lanes }, isAbsent }: { stage: StageFigures; isAbsent: boolean }) {
  const isBusy = lanes.some(({ active, waiting }) => (active ?? 0) + (waiting ?? 0) > 0);
  const failures = lanes.reduce((sum, lane) => sum + lane.failuresLastHour, 0);
  return (
    <li className={cx('flow-stage', (isAbsent || failures > 0) && 'flow-stage-failing')}>
      <header>
        <Dot tone={isBusy ? 'blue' : 'neutral'} kind={isBusy ? 'pulse' : 'hollow'} />
        <h2>{stage}</h2>
      </header>
      <p className="flow-app cut">{app}</p>
      {isAbsent && (
        <Badge tone="red" dot="still" title={`No process runs ${app}`}>
          not running
        </Badge>
      )}
      {lanes.map((lane) => (
        <Lane key={lane.lane} lane={lane} />
      ))}
    </li>
  );
}

const JOBS = 'Jobs. One job may wake up to 20 live cases that reached this stage at the same time.';

/** Age from which a waiting live job is a condition, in milliseconds. */
const OLD_MS = 120_000;

function Lane({ lane }: { lane: LaneFigures }) {
  const { waiting, active, delayed, held = 0, oldestAgeMs, ratePerMinute, failuresLastHour } = lane;
  const isKnown = waiting !== null && active !== null && delayed !== null;
  const isIdle = isKnown && waiting + active + delayed + held + ratePerMinute + failuresLastHour === 0;
  return (
    <div className={cx('lane', isIdle && 'lane-idle')}>
      <h3>{lane.lane}</h3>
      {isIdle ? (
        <p>idle</p>
      ) : (
        <dl>
          <Figure name="waiting" value={jobsText(waiting)} title={JOBS} />
          <Figure name="active" value={jobsText(active)} title={JOBS} />
          {held > 0 && <Figure name="held back" value={countText(held)} />}
          {delayed !== null && delayed > 0 && <Figure name="delayed" value={countText(delayed)} />}
          <Figure name="per min" value={rateText(ratePerMinute)} />
          {oldestAgeMs !== null && (
            <Figure
              name="oldest"
              value={durationText(oldestAgeMs)}
              bad={lane.lane === 'live' && oldestAgeMs > OLD_MS}
            />
          )}
          {failuresLastHour > 0 && <Figure name="failed, 1 h" value={countText(failuresLastHour)} bad />}
        </dl>
      )}
    </div>
  );
}

interface FigureProps {
  name: string;
  value: string;
  bad?: boolean;
  /** Tooltip. */
  title?: string;
}

function Figure({ name, value, bad = false, title }: FigureProps) {
  return (
    <div className={bad ? 'figure-bad' : undefined} title={title}>
      <dt>{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}

const RULINGS = ['PASS', 'WARN', 'REJECT'];

const ROUND_COLUMNS: readonly Column<NonNullable<PipelineView['rounds']>[number]>[] = [
  { name: 'Kind', cell: ({ playbook }) => visible(playbook), value: ({ playbook }) => playbook },
  {
    name: 'Verdicts',
    cell: ({ verdicts }) => countOf(verdicts, 'verdict'),
    value: ({ verdicts }) => verdicts,
    className: 'num',
  },
  {
    name: 'Rounds, on average',
    cell: ({ rounds }) => rounds.toFixed(1),
    value: ({ rounds }) => rounds,
    className: 'num',
  },
  {
    name: 'Not converged',
    cell: ({ notConverged, verdicts }) => percentText(notConverged / verdicts),
    value: ({ notConverged, verdicts }) => notConverged / verdicts,
    className: 'num',
  },
  { name: 'Critique', cell: rulingsText, value: rulingsText },
];

function rulingsText({ rulings }: NonNullable<PipelineView['rounds']>[number]): string {
  return RULINGS.map((ruling) => `${ruling} ${rulings[ruling] ?? 0}`).join(' · ');
}

/** Results of the rounds per kind of case. They show whether a critic passes everything or nothing. */
export function Rounds({ rounds }: { rounds: NonNullable<PipelineView['rounds']> }) {
  return (
    <DataTable
      name="rounds"
      label="Results of the critique by kind"
      look="figures"
      rows={rounds}
      columns={ROUND_COLUMNS}
      rowKey={({ playbook }) => playbook}
    />
  );
}
