import type { ShownCase, ShownRun } from '@casefile/contracts';
import { JsonView } from '../../ui/json-view.js';

/** The record of a case as the API returns it, in parts. */
export function RawTab({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const { runs: _runs, alerts, ...facts } = shown;
  const { artifacts, toolCalls, interactions, trace, evidence: _evidence, ...runFacts } = run;
  const parts: readonly [string, unknown][] = [
    ['Alerts', alerts],
    ['Case', facts],
    ['Run', runFacts],
    ['Artifacts', artifacts],
    ['Look-ups', toolCalls],
    ['Model calls', interactions],
    ['Events', trace],
  ];
  return (
    <section className="card" aria-label="Raw">
      {parts.map(([name, value]) => (
        <details key={name} className="more">
          <summary>{name}</summary>
          <JsonView value={value} label={name} />
        </details>
      ))}
    </section>
  );
}
