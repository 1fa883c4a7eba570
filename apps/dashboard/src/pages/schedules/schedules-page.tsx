import type { ScheduleList, ShownSchedule } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { getJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Stamp } from '../../ui/stamp.js';
import { Answer } from '../../ui/answer.js';
import { Empty } from '../../ui/states.js';
import '../configuration/configuration.css';

/** Page of scheduled alerts and fetched feeds, with their last and next time. */
export default function SchedulesPage() {
  useEffect(() => void (document.title = 'Schedules · Casefile'), []);
  const schedules = useQuery({
    queryKey: ['schedules'],
    queryFn: ({ signal }) => getJson<ScheduleList>('/schedules', signal),
    refetchInterval: 10_000,
  });
  return (
    <>
      <div className="page-head">
        <h1>Schedules</h1>
      </div>
      <Answer of={schedules} what="The schedules">
        {(data) =>
          data.schedules.length === 0 ? (
            <Empty title="No schedules">
              Alerts and feeds can come at set times: <a href="/docs/operate/schedules">Schedules</a>
            </Empty>
          ) : (
            <Table schedules={data.schedules} />
          )
        }
      </Answer>
    </>
  );
}

function Table({ schedules }: { schedules: readonly ShownSchedule[] }) {
  return (
    <section className="panel configuration" aria-label="Schedules">
      <DataTable
        name="schedules"
        label="Table of schedules"
        look="figures"
        rows={schedules}
        columns={COLUMNS}
        rowKey={({ kind, name }) => `${kind} ${name}`}
      />
    </section>
  );
}

const COLUMNS: readonly Column<ShownSchedule>[] = [
  { name: 'Schedule', cell: (schedule) => <Name schedule={schedule} />, value: ({ name }) => name },
  {
    name: 'Next due',
    cell: ({ nextAt }) => (nextAt === null ? 'never' : <Stamp at={nextAt} />),
    value: ({ nextAt }) => nextAt,
  },
  {
    name: 'Last due',
    cell: ({ lastDueAt }) => (lastDueAt === null ? 'not run yet' : <Stamp at={lastDueAt} />),
    value: ({ lastDueAt }) => lastDueAt,
  },
  {
    name: 'Last result',
    cell: (schedule) => <Result schedule={schedule} />,
    value: ({ problem, lastCaseId, result }) => problem ?? lastCaseId ?? result,
    className: 'configuration-value',
  },
];

function Name({ schedule: { kind, name, target, cron, timezone } }: { schedule: ShownSchedule }) {
  return (
    <>
      <b>{name}</b>
      <div className="quiet">
        {kind} to {target}, <code>{cron}</code> {timezone}
      </div>
    </>
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
