import type { LaneFigures } from '@casefile/contracts';
import { usePipeline } from '../../api/queries.js';
import { countOf, countText, jobsText, rateText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';

/** The waiting and failed calls of each tool by lane. An idle bulk lane is not shown. */
export function ToolLanes() {
  const { data } = usePipeline();
  const tools = data?.tools ?? [];
  if (tools.length === 0) return null;
  const rows = tools.flatMap(({ tool, lanes }) =>
    lanes.filter((lane) => lane.lane === 'live' || !isIdle(lane)).map((lane) => ({ tool, lane })),
  );
  return (
    <section className="panel tool-server" aria-label="Calls of tools">
      <h2>Calls of tools</h2>
      <DataTable
        name="tool-lanes"
        label="Tools by lane"
        look="figures"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ tool, lane }) => `${tool} ${lane.lane}`}
      />
    </section>
  );
}

const COLUMNS: readonly Column<{ tool: string; lane: LaneFigures }>[] = [
  { name: 'Tool', cell: ({ tool }) => tool, value: ({ tool }) => tool, className: 'mono' },
  { name: 'Lane', cell: ({ lane }) => lane.lane, value: ({ lane }) => lane.lane },
  { name: 'Waiting', cell: ({ lane }) => jobsText(lane.waiting), value: ({ lane }) => lane.waiting },
  { name: 'Active', cell: ({ lane }) => jobsText(lane.active), value: ({ lane }) => lane.active },
  { name: 'Delayed', cell: ({ lane }) => jobsText(lane.delayed), value: ({ lane }) => lane.delayed },
  {
    name: 'Oldest',
    cell: ({ lane }) => (lane.oldestAgeMs === null ? '–' : durationText(lane.oldestAgeMs)),
    value: ({ lane }) => lane.oldestAgeMs,
  },
  {
    name: 'Per min',
    cell: ({ lane }) => rateText(lane.ratePerMinute),
    value: ({ lane }) => lane.ratePerMinute,
  },
  {
    name: 'No answer, 1 h',
    cell: ({ lane }) => <NoAnswer lane={lane} />,
    value: ({ lane }) => lane.failuresLastHour,
  },
];

// A tool without its key was not called. This is a missing setting, not a failure.
function NoAnswer({ lane: { failuresLastHour, notConfiguredLastHour } }: { lane: LaneFigures }) {
  if (failuresLastHour > 0) return <span className="cell-bad">{countText(failuresLastHour)}</span>;
  if (notConfiguredLastHour === 0) return <>0</>;
  return (
    <span
      className="quiet"
      title={`Not called ${countOf(notConfiguredLastHour, 'time')}: it has no key or URL`}
    >
      not configured
    </span>
  );
}

function isIdle({ waiting, active, delayed, ratePerMinute, ...ended }: LaneFigures): boolean {
  const { failuresLastHour, notConfiguredLastHour } = ended;
  if (waiting === null || active === null || delayed === null) return false;
  return waiting + active + delayed + ratePerMinute + failuresLastHour + notConfiguredLastHour === 0;
}
