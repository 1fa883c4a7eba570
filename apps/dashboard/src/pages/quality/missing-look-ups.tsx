import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { Quality } from '@casefile/contracts';
import { Link } from 'wouter';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';

/** Look-ups that gave no answer in the most cases. Each row opens its cases. */
export function MissingLookUps({ missing, from }: { missing: Quality['missing']; from: string }) {
  if (missing.length === 0) return null;
  return (
    <section className="panel quality-part missing" aria-labelledby="missing-look-ups">
      <h2 id="missing-look-ups">Look-ups without an answer</h2>
      <DataTable
        name="missing-look-ups"
        label="Tools without an answer"
        look="figures"
        rows={missing}
        columns={columnsFrom(from)}
        rowKey={({ playbook, tool }) => `${playbook} ${tool}`}
      />
    </section>
  );
}

type Missing = Quality['missing'][number];

function columnsFrom(from: string): Column<Missing>[] {
  return [
    { name: 'Tool', cell: ({ tool }) => visible(tool), value: ({ tool }) => tool, className: 'mono' },
    { name: 'Kind', cell: ({ playbook }) => playbook, value: ({ playbook }) => playbook },
    {
      name: 'Cases',
      cell: ({ playbook, tool, cases }) => (
        <Link href={`/cases?${new URLSearchParams({ playbook, missing: tool, from }).toString()}`}>
          {countOf(cases, 'case')}
        </Link>
      ),
      value: ({ cases }) => cases,
    },
    { name: 'Why', cell: (row) => visible(whyText(row)), value: whyText },
  ];
}

function whyText({ reasons }: Missing): string {
  return reasons.map(({ reason, cases }) => `${reasonInWords(reason)} (${cases})`).join(', ');
}
