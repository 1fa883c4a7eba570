import type { Series } from '@casefile/contracts';
import { useEffect, useMemo } from 'react';
import { DEFAULT_RANGE, RANGES, useSeries } from '../../api/series.js';
import { countText, moneyText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Choice } from '../../ui/choice.js';
import { LineChart } from '../../ui/line-chart.js';
import { useFilter } from '../../ui/use-filter.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { seriesLines } from '../../ui/series-lines.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { ProviderPanels } from './provider-panels.js';
import './cost.css';

const GROUPS = [
  ['model', 'model'],
  ['playbook', 'kind'],
  ['disposition', 'disposition'],
] as const;
const FILTERS = ['range', 'by'] as const;

/** Page of the model providers, their budgets, and the cost of verdicts over time. */
export default function CostPage() {
  useEffect(() => void (document.title = 'Providers and cost · Casefile'), []);
  const [{ range = DEFAULT_RANGE, by: chosen }, set] = useFilter(FILTERS);
  const by = GROUPS.find(([name]) => name === chosen)?.[0] ?? 'model';
  const cost = useSeries('cost', range, by);
  const tokens = useSeries('tokens', range, by);
  const verdicts = useSeries('verdicts', range, by);
  const error = cost.error ?? tokens.error ?? verdicts.error;
  return (
    <>
      <div className="page-head">
        <h1>Providers and cost</h1>
        <div className="cost-filters">
          <Choice label="Range" value={range} options={RANGES} change={set('range')} />
          <Choice label="By" value={by} options={GROUPS} change={set('by')} />
        </div>
      </div>
      <ProviderPanels />
      {cost.data && tokens.data && verdicts.data ? (
        <Figures cost={cost.data} tokens={tokens.data} verdicts={verdicts.data} by={by} />
      ) : error !== null ? (
        <Failed what="The cost could not be read" error={error} retry={() => void cost.refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={8} label="The cost is loading" />
        </div>
      )}
    </>
  );
}

interface FiguresProps {
  cost: Series;
  tokens: Series;
  verdicts: Series;
  by: string;
}

function Figures({ cost, tokens, verdicts, by }: FiguresProps) {
  const drawn = useMemo(() => seriesLines(cost, 0), [cost]);
  if (verdicts.series.length === 0)
    return (
      <Empty title="No verdicts in this time">Figures appear some seconds after the first verdict.</Empty>
    );
  const rows = verdicts.series
    .map(({ group }) => ({
      group,
      cost: sum(cost, group),
      tokens: sum(tokens, group),
      verdicts: sum(verdicts, group),
    }))
    .sort((a, b) => b.cost - a.cost || b.tokens - a.tokens);
  const all = {
    group: 'all',
    cost: rows.reduce((total, row) => total + row.cost, 0),
    tokens: rows.reduce((total, row) => total + row.tokens, 0),
    verdicts: rows.reduce((total, row) => total + row.verdicts, 0),
  };
  return (
    <>
      <section className="panel cost-part" aria-label="Cost over time">
        <h2>
          Cost <span className="quiet">per {cost.step}</span>
        </h2>
        {all.cost === 0 ? (
          <p className="quiet">No cost at known prices in this time.</p>
        ) : (
          <LineChart label="Cost over time" at={drawn.at} lines={drawn.lines} format={moneyText} />
        )}
      </section>
      <section className="panel cost-part" aria-label="Cost in this time">
        <DataTable
          name="cost"
          label="Cost by group"
          look="figures"
          rows={[...rows, all]}
          columns={costColumns(GROUPS.find(([name]) => name === by)?.[1] ?? by)}
          rowKey={(row) => (row === all ? '' : (row.group ?? '-'))}
        />
        <p className="quiet">
          Known prices of the model calls of decided runs. Runs made for comparison are not included.
        </p>
      </section>
    </>
  );
}

interface CostRow {
  group: string | null;
  cost: number;
  tokens: number;
  verdicts: number;
}

function costColumns(group: string): Column<CostRow>[] {
  const perVerdict = ({ cost, verdicts }: CostRow) => (verdicts === 0 ? null : cost / verdicts);
  return [
    { name: group, cell: (row) => visible(row.group ?? '-'), value: (row) => row.group },
    { name: 'Cost', cell: ({ cost }) => moneyText(cost), value: ({ cost }) => cost },
    { name: 'Tokens', cell: ({ tokens }) => countText(tokens), value: ({ tokens }) => tokens },
    { name: 'Verdicts', cell: ({ verdicts }) => countText(verdicts), value: ({ verdicts }) => verdicts },
    {
      name: 'Per verdict',
      cell: (row) => (row.verdicts === 0 ? '–' : moneyText(perVerdict(row))),
      value: perVerdict,
    },
  ];
}

function sum({ series }: Series, group: string | null): number {
  const match = series.find((one) => one.group === group);
  return (match?.points ?? []).reduce((total, { value }) => total + value, 0);
}
