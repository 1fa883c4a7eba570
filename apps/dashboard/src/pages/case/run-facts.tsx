import type { ShownCase, ShownRun } from '@casefile/contracts';
import type { ReactNode } from 'react';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { useNow } from '../../shell/now.js';
import { Stamp } from '../../ui/stamp.js';
import { waitsForPerson } from './run-trouble.js';
import { settingsInWords } from './settings-words.js';

/** Duration, cost and frozen settings of a run. */
export function RunFacts({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const { cost } = run;
  const { model, strategy, rule, version, arm } = settingsInWords(run.settings);
  const usd = cost.unpriced > 0 && cost.usd === 0 ? null : cost.usd;
  return (
    <dl className="facts">
      <Fact name="Received">
        <Stamp at={shown.createdAt} />
      </Fact>
      <Fact name={tookName(run)}>
        <Took from={run.createdAt} to={run.decidedAt} />
      </Fact>
      <Fact name="Alerts">{countText(shown.alertCount)}</Fact>
      <Fact name="Model">{model}</Fact>
      <Fact name="Model calls">{countText(cost.interactions)}</Fact>
      <Fact name="Tokens">
        {countText(cost.inputTokens)} in · {countText(cost.outputTokens)} out
      </Fact>
      <Fact name="Cost">
        {moneyText(usd)}
        {cost.unpriced > 0 && usd !== null ? ` + ${countOf(cost.unpriced, 'call')} without a price` : ''}
      </Fact>
      <Fact name="Strategy">{strategy}</Fact>
      <Fact name="Decision rule">{rule}</Fact>
      <Fact name="Kind">{version}</Fact>
      {arm === null ? null : <Fact name="Arm">{arm}</Fact>}
    </dl>
  );
}

// A parked run does nothing until it is redriven, however long it stays open.
function tookName({ decidedAt, status }: ShownRun): string {
  if (decidedAt !== null) return 'Decided in';
  return waitsForPerson(status) ? 'Open for' : 'Duration so far';
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Took({ from, to }: { from: string; to: string | null }) {
  return to === null ? <Going from={from} /> : durationText(Date.parse(to) - Date.parse(from));
}

function Going({ from }: { from: string }) {
  return durationText(Math.floor((useNow() - Date.parse(from)) / 1_000) * 1_000);
}
