import type { LaneFigures } from '@casefile/contracts';
import { usePipeline } from '../../api/queries.js';
import { countOf, countText, jobsText, rateText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { GlossaryWord } from '../../ui/glossary-word.js';
import { ScrollTable } from '../../ui/scroll-table.js';

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
    </section>
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
