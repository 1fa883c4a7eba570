import { t } from '../../strings/text.js';
import type { ShownCase, ShownRun } from '@casefile/contracts';
import { JsonView } from '../../ui/json-view.js';

/** The record of a case as the API returns it, in parts. */
export default function RawTab({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const { runs: _runs, alerts, ...facts } = shown;
  const { artifacts, toolCalls, interactions, trace, evidence: _evidence, ...runFacts } = run;
  const parts: readonly [string, unknown][] = [
    [t('case.alerts'), alerts],
    [t('case.case'), facts],
    [t('case.run3'), runFacts],
    [t('case.artifacts'), artifacts],
    [t('case.lookUps'), toolCalls],
    [t('case.modelCalls'), interactions],
    [t('case.events'), trace],
  ];
  return (
    <section className="card" aria-label={t('case.raw')}>
      {parts.map(([name, value]) => (
        <details key={name} className="more">
          <summary>{name}</summary>
          <JsonView value={value} label={name} />
        </details>
      ))}
    </section>
  );
}
