import type { Json, ShownRun, Verdict } from '@casefile/contracts';
import { Scale as ScaleIcon } from 'lucide-react';
import { visible } from '../../format/visible.js';
import { Anchored } from '../../ui/anchored.js';
import { Badge } from '../../ui/badge.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';
import { Citations } from './citations.js';
import { combinationText, countsText, criteriaInputOf, criterionRows } from './criteria.js';
import { LadderBar, ScaleBar } from './scale-bar.js';
import { waitingText, waitsForPerson } from './run-trouble.js';
import { ladderOf, ruleOf, scalesOf } from './scales.js';

/** Why the verdict is what it is: figures against their bounds, reasons, and the evidence it rests on. */
export function WhyVerdict({ run }: { run: ShownRun }) {
  const { verdict } = run;
  if (verdict === null) return <NotYet run={run} />;
  const ladder = ladderOf(run);
  return (
    <Anchored
      id="verdict"
      name="Why this verdict"
      className={`card why tone-${toneOfDisposition(verdict.disposition)}`}
    >
      <header className="why-head">
        <p className="why-disposition">{verdict.disposition}</p>
        <Method verdict={verdict} />
      </header>
      <h2 className="why-title">Why this verdict</h2>
      {ladder !== null && <LadderBar ladder={ladder} />}
      <Combination run={run} />
      {scalesOf(run).map((scale) => (
        <ScaleBar key={scale.name} scale={scale} />
      ))}
      <Outcome outcome={verdict.outcome} />
      <ul className="reasons">
        {verdict.reasons.map((reason) => (
          <li key={reason}>{visible(reason)}</li>
        ))}
      </ul>
      <Citations ids={verdict.citations} run={run} unit="" label="Rests on" named />
      <p className="rule">
        <ScaleIcon aria-hidden="true" size={13} />
        <span>
          Decided by policy <code>{run.settings.policy}</code>, not by the model.{' '}
          {ruleOf(run.settings.policy)}
        </span>
      </p>
    </Anchored>
  );
}

// Which rule the case has for its criteria, and what it had to go by.
function Combination({ run }: { run: ShownRun }) {
  const input = criteriaInputOf(run);
  if (input === null) return null;
  return (
    <p className="combination">
      {combinationText(input)}: <span className="num">{countsText(criterionRows(run, input))}</span>.
    </p>
  );
}

function Method({ verdict }: { verdict: Verdict }) {
  return (
    <span className="why-method">
      <MethodBadge method={verdict.method} />
      {verdict.confidenceSource !== verdict.method && verdict.method !== 'demonstration' && (
        <Badge>confidence: {verdict.confidenceSource}</Badge>
      )}
      <DegradedBadge verdict={verdict} />
    </span>
  );
}

/** Said elsewhere on this panel, or too long for it. */
const SAID = new Set([
  'riskLevel',
  'status',
  'summary',
  'confidence',
  'score',
  'explanation',
  'evidenceUsed',
  'reasoningMethod',
]);

function Outcome({ outcome }: { outcome: Verdict['outcome'] }) {
  const facts = Object.entries(outcome).filter(([name, value]) => !SAID.has(name) && isShort(value));
  if (facts.length === 0) return null;
  return (
    <dl className="outcome">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{wordsOf(name)}</dt>
          <dd>{typeof value === 'boolean' ? (value ? 'yes' : 'no') : visible(String(value))}</dd>
        </div>
      ))}
    </dl>
  );
}

// `scamDetected` -> `scam detected`.
function wordsOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function isShort(value: Json): boolean {
  return value !== null && typeof value !== 'object' && String(value).length <= 120;
}

function NotYet({ run }: { run: ShownRun }) {
  const isOver = run.status === 'stopped' || waitsForPerson(run.status);
  return (
    <Anchored id="verdict" name="Why this verdict" className="card why">
      <h2 className="why-title">{isOver ? 'No verdict' : 'No verdict yet'}</h2>
      <p className="quiet">{waitingText(run)}</p>
    </Anchored>
  );
}
