import type { Quality } from '@casefile/contracts';
import { countText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Share } from './quality-table.js';

const COLUMNS: readonly Column<Quality['examiners'][number]>[] = [
  { name: 'Model', cell: ({ model }) => visible(model), value: ({ model }) => model, className: 'mono' },
  { name: 'Provider', cell: ({ provider }) => visible(provider), value: ({ provider }) => provider },
  {
    name: 'Examinations',
    cell: ({ examinations }) => countText(examinations),
    value: ({ examinations }) => examinations,
  },
  {
    name: 'Planted claims supported',
    cell: ({ plantedSupported }) => <Share share={plantedSupported} />,
    value: ({ plantedSupported }) => plantedSupported.share,
  },
  {
    name: 'Agrees with people',
    cell: ({ agreement }) => <Share share={agreement} />,
    value: ({ agreement }) => agreement.share,
  },
];

/** Models that answered cross-examinations, with the share of false claims that each called supported. */
export function Examiners({ examiners }: { examiners: Quality['examiners'] }) {
  if (examiners.length === 0) return null;
  const doubtful = examiners.filter(({ isDoubtful }) => isDoubtful);
  return (
    <section className="panel quality-part examiners" aria-labelledby="examiners">
      <h2 id="examiners">Examiners</h2>
      {doubtful.length > 0 && (
        <p role="note">
          {doubtful.map(({ model }) => visible(model)).join(', ')} supported more than 10 % of the planted
          claims, which are false. <a href="/docs/use/quality#examiners">What to do</a>
        </p>
      )}
      <DataTable
        name="examiners"
        label="Models that examine claims"
        look="figures"
        rows={examiners}
        columns={COLUMNS}
        rowKey={({ provider, model }) => `${provider} ${model}`}
      />
    </section>
  );
}
