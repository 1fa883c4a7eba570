import type { Presentation, ShownRun, Verdict } from '@casefile/contracts';
import { Scale as ScaleIcon } from 'lucide-react';
import { visible } from '../../format/visible.js';
import { inWords } from '../../format/words.js';
import { Anchored } from '../../ui/anchored.js';
import { Badge } from '../../ui/badge.js';
import { CitedText } from '../../ui/cited-text.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';
import { Citations } from './citations.js';
import { evidenceLinks } from './evidence-places.js';
import { viewOf } from '../kinds/index.js';
import { LadderBar, ScaleBar } from './scale-bar.js';
import { waitingText, waitsForPerson } from './run-trouble.js';

/** Why the verdict is what it is: figures against their bounds, reasons, and the evidence it rests on. */
export function WhyVerdict({ run }: { run: ShownRun }) {
  const { verdict, presentation } = run;
  if (verdict === null) return <NotYet run={run} />;
  const { word, answer, ladder, scales, facts, rule } = presentation ?? plain(verdict);
  const { Why } = viewOf(run);
  return (
    <Anchored
      id="verdict"
      name="Why this verdict"
      className={`card why tone-${toneOfDisposition(verdict.disposition)}`}
    >
      <header className="why-head">
        <p className="why-disposition">{visible(word)}</p>
        <Method verdict={verdict} />
      </header>
      <h2 className="why-title">Why this verdict</h2>
      {ladder !== null && <LadderBar ladder={ladder} />}
      <Why run={run} />
      {scales.map((scale) => (
        <ScaleBar key={scale.name} scale={scale} />
      ))}
      <Facts
        facts={[
          { label: 'disposition', value: verdict.disposition },
          { label: 'answer', value: answer },
          ...facts,
        ]}
      />
      <ul className="reasons">
        {verdict.reasons.map((reason) => (
          <li key={reason}>
            <CitedText text={reason} links={evidenceLinks(run, '')} />
          </li>
        ))}
      </ul>
      <Citations ids={verdict.citations} run={run} unit="" label="Rests on" named />
      <p className="rule">
        <ScaleIcon aria-hidden="true" size={13} />
        <span>
          Decided by the rule “{inWords(run.settings.policy)}”, not by the model. {rule}
        </span>
      </p>
    </Anchored>
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

// Of a kind of case that this release does not know.
function plain({ disposition }: Verdict): Omit<Presentation, 'headline' | 'summary' | 'view'> {
  return {
    word: disposition,
    answer: '-',
    confidenceApplies: true,
    ladder: null,
    scales: [],
    facts: [],
    rule: '',
  };
}

function Facts({ facts }: Pick<Presentation, 'facts'>) {
  return (
    <dl className="outcome">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  );
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
