import type { BudgetFigures, ModelSpend } from '@casefile/contracts';
import { countText, moneyText } from '../../format/numbers.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { budgetRows } from './budget-rows.js';

/** Calls and cost of each model. */
export function ModelSpendTable({ models }: { models: ModelSpend[] }) {
  if (models.length === 0) return <p className="quiet">No model was called in the last 24 hours.</p>;
  const most = Math.max(...models.map(({ tokens }) => tokens), 1);
  return (
    <DataTable
      name="spend"
      label="Spend by model"
      look="figures"
      rows={models}
      columns={spendColumns(most)}
      rowKey={({ provider, model }) => `${provider} ${model}`}
    />
  );
}

// `most`: the most tokens of a model, for the bars.
function spendColumns(most: number): Column<ModelSpend>[] {
  return [
    {
      name: 'Model',
      cell: ({ provider, model, tokens }) => (
        <>
          <span>{model}</span>
          <meter className="bar" min={0} max={most} value={tokens} aria-hidden="true" />
          <span className="quiet">{provider}</span>
        </>
      ),
      value: ({ model }) => model,
    },
    { name: 'Calls', cell: ({ calls }) => countText(calls), value: ({ calls }) => calls },
    { name: 'Tokens', cell: ({ tokens }) => countText(tokens), value: ({ tokens }) => tokens },
    { name: 'Cost', cell: ({ costUsd }) => moneyText(costUsd), value: ({ costUsd }) => costUsd },
  ];
}

/** Spent share of each budget, including the highest possible cost of running calls. */
export function Budgets({ budgets }: { budgets: BudgetFigures[] }) {
  if (budgets.length === 0) return <p className="quiet budgets-none">No budget is set.</p>;
  return (
    <ul className="budgets">
      {budgetRows(budgets).map(({ key, name, gone, limit, goneText, limitText }) => (
        <li key={key}>
          <span className="cut">{name}</span>
          <span className="num">
            {goneText} <span className="quiet">of {limitText}</span>
          </span>
          <meter
            className="bar"
            min={0}
            max={limit}
            high={limit * 0.8}
            optimum={0}
            value={gone}
            aria-label={`Budget ${name}: ${goneText} of ${limitText}`}
          />
        </li>
      ))}
    </ul>
  );
}
