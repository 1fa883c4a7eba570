import type { BudgetFigures, ModelSpend } from '@casefile/contracts';
import { countText, moneyText } from '../../format/numbers.js';
import { ColumnHeads } from '../../ui/column-heads.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { budgetRows } from './budget-rows.js';

/** Calls and cost of each model. */
export function ModelSpendTable({ models }: { models: ModelSpend[] }) {
  if (models.length === 0) return <p className="quiet">No model was called in the last 24 hours.</p>;
  const most = Math.max(...models.map(({ tokens }) => tokens), 1);
  return (
    <ScrollTable label="Spend by model">
      <ColumnHeads names={['Model', 'Calls', 'Tokens', 'Cost']} />
      <tbody>
        {models.map(({ provider, model, calls, tokens, costUsd }) => (
          <tr key={`${provider} ${model}`}>
            <th scope="row">
              <span>{model}</span>
              <meter className="bar" min={0} max={most} value={tokens} aria-hidden="true" />
              <span className="quiet">{provider}</span>
            </th>
            <td>{countText(calls)}</td>
            <td>{countText(tokens)}</td>
            <td>{moneyText(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
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
