import type { AuditEntry } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { AUDIT_FILTERS, useAudit, type AuditFilter } from '../../api/audit.js';
import { visible } from '../../format/visible.js';
import { inWords } from '../../format/words.js';
import { Button } from '../../ui/button.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Stamp } from '../../ui/stamp.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { useFilter } from '../../ui/use-filter.js';
import { useTyped } from '../../ui/use-typed.js';
import { AuditCheck } from './audit-check.js';
import '../../ui/labelled-field.css';
import './audit.css';

const LABELS = { actor: 'Person', act: 'Act', caseId: 'Case' } as const;

/** Page of the acts of people, with a check of the chain that links them. */
export default function AuditPage() {
  useEffect(() => void (document.title = 'Audit · Casefile'), []);
  const [filter, set] = useFilter(AUDIT_FILTERS);
  const audit = useAudit(filter);
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>Audit</h1>
      </div>
      <AuditCheck />
      <div className="audit-filters">
        {AUDIT_FILTERS.map((name) => (
          <FilterField key={name} label={LABELS[name]} value={filter[name] ?? ''} change={set(name)} />
        ))}
      </div>
      {audit.isPending ? (
        <div className="panel">
          <Skeleton lines={8} label="The audit log is loading" />
        </div>
      ) : audit.isError && entries.length === 0 ? (
        <Failed
          what="The audit log could not be read"
          error={audit.error}
          retry={() => void audit.refetch()}
        />
      ) : entries.length === 0 ? (
        <Nothing filter={filter} />
      ) : (
        <>
          <Entries entries={entries} />
          {audit.hasNextPage && (
            <Button
              className="load-more"
              disabled={audit.isFetchingNextPage}
              onClick={() => void audit.fetchNextPage()}
            >
              Load more
            </Button>
          )}
        </>
      )}
    </>
  );
}

function FilterField({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change(value: string): void;
}) {
  const [typed, setTyped] = useTyped(value, change);
  return (
    <label className="labelled-field">
      <span>{label}</span>
      <input className="field" value={typed} onChange={(event) => setTyped(event.target.value)} />
    </label>
  );
}

function Nothing({ filter }: { filter: AuditFilter }) {
  return Object.keys(filter).length > 0 ? (
    <Empty title="No entry matches">Person and act must be written in full, such as review.agreed.</Empty>
  ) : (
    <Empty title="No entries">Answers, redrives, batches and changes of settings appear here.</Empty>
  );
}

function Entries({ entries }: { entries: AuditEntry[] }) {
  return (
    <section className="panel audit" aria-label="Entries">
      <DataTable
        name="audit"
        label="Table of entries"
        look="figures"
        rows={entries}
        columns={COLUMNS}
        rowKey={({ seq }) => String(seq)}
      />
    </section>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'No.', cell: ({ seq }) => seq, value: ({ seq }) => seq, className: 'num quiet' },
  { name: 'Time', cell: ({ at }) => <Stamp at={at} />, value: ({ at }) => at },
  {
    name: 'Person',
    cell: ({ actor }) => (actor === '' ? <span className="quiet">no name</span> : visible(actor)),
    value: ({ actor }) => actor,
  },
  { name: 'Act', cell: ({ act }) => <span title={act}>{actInWords(act)}</span>, value: ({ act }) => act },
  {
    name: 'On',
    cell: (entry) => <Subject entry={entry} />,
    value: ({ subject, caseId }) => [subject, caseId].filter((one) => one !== null).join(', '),
    className: 'audit-subject',
  },
];

// `operator.redriven` -> `operator: redriven`
function actInWords(act: string): string {
  const [group = '', ...rest] = act.split('.');
  return rest.length === 0 ? inWords(group) : `${inWords(group)}: ${inWords(rest.join(' '))}`;
}

function Subject({ entry: { subject, caseId } }: { entry: AuditEntry }) {
  if (caseId === null)
    return subject === null ? <span className="quiet">the installation</span> : <>{visible(subject)}</>;
  return (
    <>
      {subject !== null && `${visible(subject)}, `}
      <Link href={`/cases/${caseId}`}>{`case ${caseId.slice(-12)}`}</Link>
    </>
  );
}
