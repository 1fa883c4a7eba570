import type { LaneFigures, PipelineView } from '@casefile/contracts';
import { countOf, countText, rateText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';

/** The tools, each with its lanes; a bulk lane that does nothing is left out. */
export function ToolTable({ tools }: { tools: PipelineView['tools'] }) {
  if (tools.length === 0) return <p className="quiet">No tool is in use.</p>;
  const rows = tools.flatMap(({ tool, lanes }) =>
    lanes.filter((lane) => lane.lane === 'live' || !isIdle(lane)).map((lane) => ({ tool, lane })),
  );
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Tools by lane">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Lane</th>
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
              <td>{countText(lane.waiting)}</td>
              <td>{countText(lane.active)}</td>
              <td>{countText(lane.delayed)}</td>
              <td>{lane.oldestAgeMs === null ? '–' : durationText(lane.oldestAgeMs)}</td>
              <td>{rateText(lane.ratePerMinute)}</td>
              <NoAnswer lane={lane} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// A tool that lacks a key was not asked: that is a setting, not a fault.
function NoAnswer({ lane: { failuresLastHour, notConfiguredLastHour } }: { lane: LaneFigures }) {
  if (failuresLastHour > 0) return <td className="cell-bad">{countText(failuresLastHour)}</td>;
  if (notConfiguredLastHour === 0) return <td>0</td>;
  return (
    <td
      className="quiet"
      title={`Not asked ${countOf(notConfiguredLastHour, 'time')}: it has no key or address`}
    >
      not configured
    </td>
  );
}

function isIdle({ waiting, active, delayed, ratePerMinute, ...ended }: LaneFigures): boolean {
  const { failuresLastHour, notConfiguredLastHour } = ended;
  return waiting + active + delayed + ratePerMinute + failuresLastHour + notConfiguredLastHour === 0;
}
