import type { ShownEvaluation } from '@casefile/contracts';
import { countText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { PER_VERDICT, Share, shareColumn, shareText } from './quality-table.js';

/** Results of labelled sets, with the columns of the figures of verdicts. */
export function LabelledSets({ evaluations }: { evaluations: readonly ShownEvaluation[] }) {
  if (evaluations.length === 0) return null;
  return (
    <section className="panel quality-part labelled-sets" aria-labelledby="labelled-sets">
      <h2 id="labelled-sets">Labelled sets</h2>
      <p className="quiet">
        Results of <code>casefile eval</code>, of any time. No person was asked: the labels are part of the
        set. <a href="/docs/results">How to read them</a>
      </p>
      <DataTable
        name="labelled-sets"
        label="Figures by labelled set"
        look="figures"
        rows={evaluations}
        columns={COLUMNS}
        rowKey={({ file }) => file}
      />
    </section>
  );
}

const COLUMNS: readonly Column<ShownEvaluation>[] = [
  { name: 'Kind', cell: ({ playbook }) => visible(playbook), value: ({ playbook }) => playbook },
  {
    name: 'Labelled set',
    cell: ({ set, unseen }) => `${visible(set)}${unseen && set !== 'unseen' ? ' (unseen)' : ''}`,
    value: ({ set }) => set,
  },
  { name: 'Judged by', cell: ({ by }) => visible(by), value: ({ by }) => by },
  { name: 'Date', cell: ({ date }) => date, value: ({ date }) => date },
  { name: 'Verdicts', cell: ({ verdicts }) => countText(verdicts), value: ({ verdicts }) => verdicts },
  { name: 'Labels', cell: ({ labels }) => countText(labels), value: ({ labels }) => labels },
  {
    name: 'Right',
    cell: ({ accuracy }) => <Share share={accuracy} />,
    value: ({ accuracy }) => accuracy.share,
  },
  shareColumn('Not answered', ({ leftOpen }) => leftOpen),
  { name: 'Precision, recall', cell: (one) => <Classes of={one} />, value: classesText },
  shareColumn('Review', ({ reviewShare }) => reviewShare),
  shareColumn('Degraded', ({ degradedShare }) => degradedShare),
  ...PER_VERDICT,
];

function classLines({ classes }: ShownEvaluation): string[] {
  return classes.map(
    ({ name, precision, recall }) => `${visible(name)} ${shareText(precision)}, ${shareText(recall)}`,
  );
}

function classesText(one: ShownEvaluation): string {
  return classLines(one).join('; ');
}

function Classes({ of }: { of: ShownEvaluation }) {
  return classLines(of).map((line) => <div key={line}>{line}</div>);
}
