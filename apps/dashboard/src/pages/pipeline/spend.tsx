import type { BudgetFigures, ModelSpend, ProviderFigures } from '@casefile/contracts';
import { countText, moneyText } from '../../format/numbers.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Stamp } from '../../ui/stamp.js';

/** What was asked of each model, and what that cost. */
export function ModelSpendTable({ models }: { models: ModelSpend[] }) {
  if (models.length === 0) return <p className="quiet">No model was asked in the last 24 hours.</p>;
  const most = Math.max(...models.map(({ tokens }) => tokens), 1);
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Calls</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
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
    </table>
  );
}

const CIRCUIT_TONES: Record<ProviderFigures['state'], Tone> = {
  closed: 'green',
  'half-open': 'amber',
  open: 'red',
};
const CIRCUIT_WORDS: Record<ProviderFigures['state'], string> = {
  closed: 'answering',
  'half-open': 'being tried',
  open: 'not asked',
};

/** Providers that failed of late, and whether they are asked at the moment. */
export function Circuits({ providers }: { providers: ProviderFigures[] }) {
  if (providers.length === 0) return <p className="quiet">Every provider that was asked is answering.</p>;
  return (
    <ul className="circuits">
      {providers.map(({ provider, state, reasonCode, until }) => (
        <li key={provider}>
          <strong>{provider}</strong>
          <Badge
            tone={CIRCUIT_TONES[state]}
            dot={state === 'half-open' ? 'hollow' : 'still'}
            title={`Circuit ${state}`}
          >
            {CIRCUIT_WORDS[state]}
          </Badge>
          {reasonCode !== null && <code>{reasonCode}</code>}
          {until !== null && (
            <span className="quiet">
              until <Stamp at={until} clock />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** How much of each budget is gone, with what calls under way may yet cost. */
export function Budgets({ budgets }: { budgets: BudgetFigures[] }) {
  if (budgets.length === 0) return <p className="quiet budgets-none">No budget is set.</p>;
  return (
    <ul className="budgets">
      {budgets.map(({ key, limitUsd, spentUsd, reservedUsd }) => {
        const gone = spentUsd + reservedUsd;
        return (
          <li key={key}>
            <span className="cut">{key}</span>
            <span className="num">
              {moneyText(gone)} <span className="quiet">of {moneyText(limitUsd)}</span>
            </span>
            <meter
              className="bar"
              min={0}
              max={limitUsd}
              high={limitUsd * 0.8}
              optimum={0}
              value={gone}
              aria-label={`Budget ${key}: ${moneyText(gone)} of ${moneyText(limitUsd)}`}
            />
          </li>
        );
      })}
    </ul>
  );
}
