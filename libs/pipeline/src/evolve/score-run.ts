import {
  degradedCauseOf,
  type DegradedCause,
  type EvaluatedRun,
  type JsonObject,
  type Reflection,
} from '@casefile/contracts';
import { OBJECTIVES, type CaseScore, type ObjectiveWeights } from './evolution-state.js';

/**
 * Returns the score of a run by the objectives, weighted over those that the run has:
 * - citations: verified of all cited;
 * - coherence: share of claims that the cross-examination answers `supports`;
 * - calibration: 1 - Brier score, with the label as outcome;
 * - status: 1 if the outcome agrees with the label.
 *
 * An answer that cannot be read, is refused or is not finished scores 0 for citations and status, even if rules judged
 * the case right. A run without a verdict has no score.
 */
export function scoreRun(run: EvaluatedRun, weights: ObjectiveWeights): CaseScore {
  const none = { citations: null, coherence: null, calibration: null, status: null };
  if (run.status !== 'decided' || run.outcome === null) return { score: null, parts: none };
  const { cited, supported, claims, confidence, right, fallback } = run;
  const isUnusable = fallback !== null && UNUSABLE.has(degradedCauseOf(fallback));
  const hit = right === null ? null : isUnusable || !right ? 0 : 1;
  const supports = claims.filter(({ answer }) => answer === 'supports').length;
  const parts = {
    citations: isUnusable ? 0 : cited === 0 ? null : supported / cited,
    coherence: claims.length === 0 ? null : supports / claims.length,
    calibration: hit === null || confidence === null ? null : 1 - (confidence - hit) ** 2,
    status: hit,
  };
  const known = OBJECTIVES.filter((one) => parts[one] !== null && weights[one] > 0);
  const total = known.reduce((sum, one) => sum + weights[one], 0);
  if (total === 0) return { score: null, parts };
  return { score: known.reduce((sum, one) => sum + weights[one] * parts[one]!, 0) / total, parts };
}

/** Causes for which a draft without a usable answer is due to the text: an outage or a budget is not among them. */
const UNUSABLE = new Set<DegradedCause | null>(['unreadable', 'refused', 'unfinished']);

/** Returns a run as a reflection shows it. */
export function reflectedCase(run: EvaluatedRun, { score }: CaseScore): Reflection['cases'][number] {
  const { text, input, outcome, expected, cited, supported, claims, fallback, note, answer } = run;
  const shownInput = input === null ? text : `${text}\n${JSON.stringify(input)}`;
  return {
    input: shownInput,
    answer: JSON.stringify(answer ?? decidingFields(outcome, expected)),
    expected: JSON.stringify(expected ?? {}),
    score: score === null ? 'none' : score.toFixed(2),
    problems: [
      ...(expected === null || run.right === true
        ? []
        : [`the outcome was ${JSON.stringify(decidingFields(outcome, expected))}`]),
      ...(supported < cited ? [`${cited - supported} of ${cited} citations are not on the record`] : []),
      ...claims
        .filter((claim) => claim.answer !== 'supports')
        .map(
          ({ text: words, answer: result }) =>
            `its sources ${result === 'contradicts' ? 'contradict' : 'do not state'}: ${words}`,
        ),
      ...(fallback === null ? [] : [`the answer could not be used: ${fallback}`]),
      ...(note === null ? [] : [`note of a reviewer: ${note}`]),
    ],
  };
}

/** Returns the fields of an outcome that the label names. */
function decidingFields(outcome: JsonObject | null, expected: JsonObject | null): JsonObject {
  if (outcome === null || expected === null) return outcome ?? {};
  return Object.fromEntries(Object.keys(expected).map((name) => [name, outcome[name] ?? null]));
}

/** Returns the lines of a text that another one does not have: what a proposal added. */
export function addedLines(text: string, parent: string): string {
  const known = new Set(parent.split('\n').map((line) => line.trim()));
  return text
    .split('\n')
    .filter((line) => !known.has(line.trim()))
    .join('\n');
}
