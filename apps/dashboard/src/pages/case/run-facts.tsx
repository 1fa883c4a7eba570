import { counted, rich, t } from '../../strings/text.js';
import type { ShownCase, ShownRun } from '@casefile/contracts';
import type { ReactNode } from 'react';
import { countText, moneyText } from '../../format/numbers.js';
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
      <Fact name={t('case.received')}>
        <Stamp at={shown.createdAt} />
      </Fact>
      <Fact name={tookName(run)}>
        <Took from={run.createdAt} to={run.decidedAt} />
      </Fact>
      <Fact name={t('case.alerts')}>{countText(shown.alertCount)}</Fact>
      <Fact name={t('case.model')}>{model}</Fact>
      <Fact name={t('case.modelCalls')}>{countText(cost.interactions)}</Fact>
      <Fact name={t('case.tokens')}>
        {rich('case.inOut2', {
          inputTokens: countText(cost.inputTokens),
          outputTokens: countText(cost.outputTokens),
        })}
      </Fact>
      <Fact name={t('case.cost')}>
        {moneyText(usd)}
        {cost.unpriced > 0 && usd !== null
          ? t('case.withoutAPrice', { unpriced: counted('count.call', cost.unpriced) })
          : ''}
      </Fact>
      <Fact name={t('case.strategy')}>{strategy}</Fact>
      <Fact name={t('case.decisionRule')}>{rule}</Fact>
      <Fact name={t('case.kind')}>{version}</Fact>
      {arm === null ? null : <Fact name={t('case.arm')}>{arm}</Fact>}
    </dl>
  );
}

// A parked run does nothing until it is redriven, however long it stays open.
function tookName({ decidedAt, status }: ShownRun): string {
  if (decidedAt !== null) return t('case.decidedIn');
  return waitsForPerson(status) ? t('case.openFor') : t('case.durationSoFar');
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
