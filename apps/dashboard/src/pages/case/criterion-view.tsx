import type { CriterionResult, ShownRun } from '@casefile/contracts';
import { countText, moneyText, percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { SafeMarkdown } from '../../ui/markdown.js';
import { Figures } from './figures.js';
import type { CriteriaInput, CriterionRow } from './criteria.js';
import { STATUS_WORDS } from './criteria-words.js';
import { RefutedCitations, VerifiedCitations } from './criterion-citations.js';
import { Trace } from './trace-view.js';

interface ViewProps {
  run: ShownRun;
  row: CriterionRow;
  input: CriteriaInput;
}

/** One criterion: why it came out as it did, what that rests on, what did not hold, and how it was worked out. */
export function CriterionView({ run, row, input }: ViewProps) {
  const { result } = row;
  if (result === null) return <p className="quiet">It has not come to a result yet.</p>;
  return (
    <>
      <Claimed result={result} />
      <SafeMarkdown text={visible(result.rationale)} />
      <VerifiedCitations result={result} facts={input.facts} />
      <RefutedCitations result={result} />
      <Made result={result} />
      <Trace run={run} row={row} trace={result.trace} />
    </>
  );
}

// What was answered, where something else is left of it once its citations were held against their ground.
function Claimed({ result: { claimed, status, confidence } }: { result: CriterionResult }) {
  if (claimed === null) return null;
  const said = `${STATUS_WORDS[claimed.status].words} with ${percentText(claimed.confidence)}`;
  return (
    <p className="claimed">
      The answer was <strong>{said}</strong>; once its citations were verified it is{' '}
      <strong>
        {STATUS_WORDS[status].words} with {percentText(confidence)}
      </strong>
      .
    </p>
  );
}

function Made({ result }: { result: CriterionResult }) {
  const { strategy, promptId, model, iterations, tokens, costUsd } = result;
  const figures: [string, string | null][] = [
    ['strategy', strategy],
    ['prompt', promptId],
    ['model', model],
    ['turns', String(iterations)],
    ['tokens', `${countText(tokens.input)} in, ${countText(tokens.output)} out`],
    ['cost', moneyText(costUsd)],
  ];
  return <Figures figures={figures} />;
}
