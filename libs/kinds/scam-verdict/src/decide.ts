import {
  CasefileError,
  IMAGE_UNREADABLE,
  whyNoAnswer,
  gapsOf,
  z,
  isObject,
  type EvidenceItem,
  type Verdict,
  type JsonObject,
} from '@casefile/contracts';
import {
  decisionRule,
  failedModel,
  missingParts,
  type DecidedUnits,
  type Missing,
} from '@casefile/pipeline/parts/deciding';
import type { UnitResult } from '@casefile/pipeline/stage-parts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { TEXT_SIGNALS } from '@casefile/pipeline/text-signals/signals-found';
import { hasNoText, unreadOf } from '@casefile/pipeline/text-or-image';
import {
  reasonsAgainstDismissal,
  reasonsAgainstUnnamedKind,
  type ClearingOptions,
} from '@casefile/pipeline/scam/against-dismissal';
import { proofOf, type Proof } from '@casefile/pipeline/scam/burden-of-proof';
import { concluded } from './examine.js';
import { options } from './options.js';

const LEVELS = ['low', 'medium', 'high'] as const;
/** Disposition that follows from each risk level. */
export const DISPOSITION = { high: 'act', medium: 'review', low: 'dismiss', unconfirmed: 'review' } as const;
/** Fields of the answer that the outcome uses. Other fields of the draft are ignored. */
const answerSchema = z.object({
  riskLevel: z.enum(LEVELS),
  confidence: z.number().min(0).max(100),
  score: z.number().optional(),
  floor: z.literal('text_signals').optional(),
  unconfirmed: z.literal(true).optional(),
});
/** Remarks on an answer that lacked a field and got a default. They make the verdict degraded. */
const DEFAULTS = new Set(['confidence_missing']);

/** Risk level of an outcome whose high or low level nothing confirmed. */
export const UNCONFIRMED = 'unconfirmed';

/**
 * Decides by the risk level: high -> act, medium -> review, low -> dismiss. If the reviewer warns, the
 * disposition is review (S1-26, S1-27).
 *
 * A low risk is dismissed only if nothing was missing (S1-17). If rules judged, the text must show no sign of a scam, and
 * a source must have cleared each entity that it names. If the model failed, the disposition is review. A high or low
 * level of a model needs proof by the record or a second question (T-32, T-33). A low level that is not dismissed and a
 * high level without proof are `unconfirmed` in the outcome, because receivers act on the level alone.
 */
export const riskLevel = decisionRule({
  name: 'risk-level',
  judge: riskiest,
  missing: (_units, unit) => missingIn(unit),
  decide({ judged: unit, settings, ...degradation }) {
    const limits = options.read(settings.options);
    const { draft } = unit;
    const answer = decidedAnswer(unit);
    const against = answer.riskLevel === 'low' ? reasonsAgainstLow(unit, degradation, limits) : [];
    const proof = proofOfLevel(unit, answer, limits);
    // Rules that replace a failed model may have raised the risk by the text alone (`floor`). Such a verdict
    // is reviewed instead of acted on.
    const isStandIn = answer.floor !== undefined && failedModel(draft) !== null;
    const isReviewed = unit.review.ruling !== 'PASS' || against.length > 0 || isStandIn || !proof.holds;
    const disposition = isReviewed ? 'review' : DISPOSITION[answer.riskLevel];
    const isUnconfirmed = !proof.holds || (answer.riskLevel === 'low' && disposition !== 'dismiss');
    return {
      outcome: outcomeOf(unit, answer, isUnconfirmed),
      disposition,
      unit,
      reasons: [
        ...unit.review.findings.filter(isContradiction).map((finding) => finding.message),
        ...against,
        ...proof.reasons,
        ...reasonsOf(unit, answer, against.length > 0),
      ],
    };
  },
});

function proofOfLevel(unit: UnitResult, { riskLevel: level }: Answer, limits: ClearingOptions): Proof {
  const conclusion = concluded(level);
  return conclusion === null ? { holds: true, reasons: [] } : proofOf(conclusion, unit, limits);
}

type Answer = z.infer<typeof answerSchema>;

function riskiest(units: DecidedUnits): UnitResult {
  const rank = (unit: UnitResult) => LEVELS.indexOf(decidedAnswer(unit).riskLevel);
  return units.reduce((riskier, unit) => (rank(unit) > rank(riskier) ? unit : riskier));
}

function decidedAnswer({ draft }: UnitResult): Answer {
  const parsed = answerSchema.safeParse(draft.answer);
  if (parsed.success) return parsed.data;
  throw new CasefileError(
    'bad_draft',
    `the policy risk-level cannot read the answer of ${draft.strategy}: ${parsed.error.message}`,
  );
}

/** @param isUnconfirmed whether the level is not that of the outcome: nothing confirmed it */
function outcomeOf({ draft }: UnitResult, answer: Answer, isUnconfirmed: boolean): JsonObject {
  const { riskLevel: level, score, floor } = answer;
  // Rules state in their own explanation that a level is unconfirmed.
  const isStated = !isUnconfirmed || answer.unconfirmed === true;
  const suffix = `Unconfirmed: this ${level} risk needs review.`;
  return {
    riskLevel: isUnconfirmed ? UNCONFIRMED : level,
    confidence: answer.confidence,
    explanation: isStated ? draft.explanation : `${draft.explanation} ${suffix}`.trim(),
    evidenceUsed: draft.evidenceUsed,
    reasoningMethod: draft.method,
    ...(score === undefined ? {} : { score }),
    ...(floor === undefined ? {} : { floor }),
  };
}

/** Returns the reasons why a low risk needs review, as sentences. Empty: it is dismissed. */
function reasonsAgainstLow(
  { brief, draft, evidence }: UnitResult,
  { degraded, degradedNote }: Pick<Verdict, 'degraded' | 'degradedNote'>,
  options: ClearingOptions,
): string[] {
  const missing = `A low risk is not dismissed when something was missing: ${degradedNote}.`;
  const found = draft.method === 'heuristic' ? reasonsAgainstDismissal(brief, evidence, options) : [];
  return [...reasonsAgainstUnnamedKind(brief), ...(degraded ? [missing] : []), ...found];
}

/** Returns what was missing for the verdict (S1-17). */
function missingIn(unit: UnitResult): Missing {
  const { causes, lookUps } = missingParts([unit]);
  const isIncomplete = unit.draft.remarks.some((remark) => DEFAULTS.has(remark));
  return {
    causes: [
      ...causes,
      isIncomplete ? 'answer_incomplete' : null,
      hasNoText(unit) ? 'no_text' : null,
      unreadOf(unit).length > 0 ? IMAGE_UNREADABLE : null,
    ],
    lookUps,
  };
}

/** @param isLeftToPerson whether the risk is low and needs review. */
function reasonsOf(unit: UnitResult, answer: Answer, isLeftToPerson: boolean): string[] {
  const { draft, evidence, review } = unit;
  const gaps = gapsOf(evidence).length;
  return [
    levelSentence(answer, draft.method, isLeftToPerson),
    ...(draft.fallbackReason === undefined ? [] : [fallbackSentence(draft.fallbackReason)]),
    ...(hasNoText(unit) ? ['No text could be read, so none was judged.'] : []),
    ...unreadOf(unit),
    ...(evidence.items.some(lacksPatterns) ? ['There are no scam patterns to compare the text with.'] : []),
    ...(gaps === 0 ? [] : [`${gaps} of ${evidence.items.length} questions to the tools have no answer.`]),
    ...draft.remarks.map((remark) => REMARKS[remark] ?? `Remark on the answer: ${remark}.`),
    ...review.findings.filter((finding) => !isContradiction(finding)).map((finding) => finding.message),
  ];
}

/**
 * Returns whether the text was compared while no scam patterns were imported (T-20). The verdict then states
 * this.
 */
function lacksPatterns({ toolName, success, result }: EvidenceItem): boolean {
  return toolName === TEXT_SIGNALS && success && isObject(result) && result['patterns'] === 0;
}

// A low risk of the rules that needs review is reported by its score, not by a confidence: the score counts
// only look-ups, so a confidence would suggest that the text was judged too.
function levelSentence(
  { riskLevel: level, confidence, score, floor }: Answer,
  method: UnitResult['draft']['method'],
  isLeftToPerson: boolean,
): string {
  if (isLeftToPerson && method === 'heuristic' && score !== undefined)
    return `Risk level ${level} by the score of the look-ups, ${score} of 100, which does not count what the text says.`;
  if (floor !== undefined)
    return `Risk level ${level} with confidence ${confidence} of 100, by what the text itself says.`;
  return `Risk level ${level} with confidence ${confidence} of 100, by ${BY[method]}.`;
}

const BY: Record<UnitResult['draft']['method'], string> = {
  llm: 'a language model',
  heuristic: 'the heuristic',
  demonstration: 'a hand-written answer',
};

const REMARKS: Record<string, string> = {
  confidence_missing: 'The answer had no confidence: 50 was taken.',
  evidence_used_missing: 'The answer did not say which evidence it rests on.',
};

function fallbackSentence(reason: string): string {
  const why = whyNoAnswer(reason);
  return `${why[0]?.toUpperCase()}${why.slice(1)}: the heuristic decided.`;
}
