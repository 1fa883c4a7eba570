import type { ScheduleList, ShownSchedule } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { getJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Stamp } from '../../ui/stamp.js';
import { Failed } from '../../ui/states.js';

/** Scheduled alerts and fetched feeds with their last and next time. Renders nothing if none is configured. */
export function Schedules() {
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules'],
    queryFn: ({ signal }) => getJson<ScheduleList>('/schedules', signal),
    refetchInterval: 10_000,
  });
  if (data === undefined)
    return error === null ? null : (
      <Failed what="The schedules could not be read" error={error} retry={() => void refetch()} />
    );
  if (data.schedules.length === 0) return null;
  return (
    <section className="panel configuration" aria-label="Schedules">
      <h2>Schedules</h2>
      <ScrollTable label="Table of schedules">
        <thead>
          <tr>
            <th scope="col">Schedule</th>
            <th scope="col">Next due</th>
            <th scope="col">Last due</th>
            <th scope="col">Last result</th>
          </tr>
        </thead>
        <tbody>
          {data.schedules.map((schedule) => (
            <Row key={`${schedule.kind} ${schedule.name}`} schedule={schedule} />
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function Row({ schedule }: { schedule: ShownSchedule }) {
  const { kind, name, target, cron, timezone, nextAt, lastDueAt } = schedule;
  return (
    <tr>
      <th scope="row" className="configuration-name">
        <b>{name}</b>
        <div className="quiet">
          {kind} to {target}, <code>{cron}</code> {timezone}
        </div>
      </th>
      <td>{nextAt === null ? 'never' : <Stamp at={nextAt} />}</td>
      <td>{lastDueAt === null ? 'not run yet' : <Stamp at={lastDueAt} />}</td>
      <td className="configuration-value">
        <Result schedule={schedule} />
      </td>
    </tr>
  );
}

// A failure is shown with the last case or import, which is what is still in use.
function Result({ schedule: { lastCaseId, failingSince, problem, result } }: { schedule: ShownSchedule }) {
  return (
    <>
      {failingSince !== null && (
        <div>
          <Badge tone="red">failing</Badge> since <Stamp at={failingSince} />: {visible(problem ?? '')}
        </div>
      )}
      {lastCaseId !== null && <Link href={`/cases/${lastCaseId}`}>{`case ${lastCaseId.slice(-12)}`}</Link>}
      {result !== null && <div>{visible(result)}</div>}
      {failingSince === null && lastCaseId === null && result === null && 'none'}
    </>
  );
}
