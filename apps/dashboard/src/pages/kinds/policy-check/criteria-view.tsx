import type { ShownRun } from '@casefile/contracts';
import { visible } from '../../../format/visible.js';
import type { KindView } from '../kind-view.js';
import { CriteriaCard } from './criteria-card.js';
import { combinationText, countsText, criteriaInputOf, criterionRows } from './criteria.js';
import { valueText } from './criteria-words.js';
import { Reading } from './criterion-citations.js';

/** A case that is checked by criteria: what each came to, how they combine, and the facts of the case. */
export const criteriaView: KindView = { Card, Why, Brief };

function Card({ run }: { run: ShownRun }) {
  const input = criteriaInputOf(run);
  return input === null ? null : <CriteriaCard run={run} input={input} />;
}

// Which rule the case has for its criteria, and what it had to go by.
function Why({ run }: { run: ShownRun }) {
  const input = criteriaInputOf(run);
  if (input === null) return null;
  return (
    <p className="combination">
      {combinationText(input)}: <span className="num">{countsText(criterionRows(run, input))}</span>.
    </p>
  );
}

function Brief({ run }: { run: ShownRun }) {
  const facts = criteriaInputOf(run)?.facts ?? [];
  if (facts.length === 0) return null;
  return (
    <dl className="result">
      {facts.map((fact) => (
        <div key={fact.id}>
          <dt className="mono">{visible(fact.name)}</dt>
          <dd>
            {visible(valueText(fact.value, fact.unit))}{' '}
            <span className="quiet">
              <Reading fact={fact} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
