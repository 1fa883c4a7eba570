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
import { reasonsAgainstDismissal, reasonsAgainstUnnamedKind } from './against-dismissal.js';
import { options, type ScamVerdictOptions } from './options.js';
import type { RiskLevel } from './question.js';

const LEVELS = ['low', 'medium', 'high'] as const;
/** Disposition that follows from each risk level. */
export const DISPOSITION = { high: 'act', medium: 'review', low: 'dismiss' } as const;
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

/**
 * Decides by the risk level: high -> act, medium -> review, low -> dismiss. If the reviewer warns, the
 * disposition is review (S1-26, S1-27).
 *
 * A low risk is dismissed only if nothing was missing (S1-17). If a model judged, no look-up may have failed.
 * If no model is configured, the text must show no sign of a scam, and a source must have cleared each entity
 * that it names. If the model failed, the disposition is review.
 */
export const riskLevel = decisionRule({
  name: 'risk-level',
  judge: riskiest,
  missing: (_units, unit) => missingIn(unit),
  decide({ judged: unit, settings, ...degradation }) {
    const limits = options.read(settings.options);
    const { draft, evidence } = unit;
    const answer = decidedAnswer(unit);
    const against = answer.riskLevel === 'low' ? reasonsAgainstLow(unit, degradation, limits) : [];
    // Rules that replace a failed model may have raised the risk by the text alone (`floor`). Such a verdict
    // is reviewed instead of acted on.
    const isStandIn = answer.floor !== undefined && failedModel(draft) !== null;
    const disposition =
      unit.review.ruling !== 'PASS' || against.length > 0 || isStandIn
        ? 'review'
        : DISPOSITION[answer.riskLevel];
    return {
      outcome: withUnconfirmed(
        outcomeOf(unit, answer),
        evidence.items,
        disposition,
        draft.method === 'heuristic' && answer.unconfirmed === true,
      ),
      disposition,
      unit,
      reasons: [
        ...unit.review.findings.filter(isContradiction).map((finding) => finding.message),
        ...against,
        ...reasonsOf(unit, answer, against.length > 0),
      ],
    };
  },
});

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

function outcomeOf({ draft }: UnitResult, answer: Answer) {
  return {
    riskLevel: answer.riskLevel,
    confidence: answer.confidence,
    explanation: draft.explanation,
    evidenceUsed: draft.evidenceUsed,
    reasoningMethod: draft.method,
    ...(answer.score === undefined ? {} : { score: answer.score }),
    ...(answer.floor === undefined ? {} : { floor: answer.floor }),
  };
}

/** Returns the reasons why a low risk needs review, as sentences. Empty: it is dismissed. */
function reasonsAgainstLow(
  { brief, draft, evidence }: UnitResult,
  { degraded, degradedNote }: Pick<Verdict, 'degraded' | 'degradedNote'>,
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
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

/**
 * Marks the outcome of a low risk that no source has confirmed, for readers who see only the outcome.
 * @param isMarked whether the answer is marked and its explanation states this
 */
function withUnconfirmed(
  outcome: JsonObject & { riskLevel: RiskLevel; explanation: string },
  items: readonly EvidenceItem[],
  disposition: Verdict['disposition'],
  isMarked: boolean,
): JsonObject {
  if (isMarked) return { ...outcome, unconfirmed: true };
  const why = outcome.riskLevel === 'low' ? whyUnconfirmed(items, disposition) : null;
  if (why === null) return outcome;
  return { ...outcome, explanation: `${outcome.explanation} ${why}`.trim(), unconfirmed: true };
}

function whyUnconfirmed(items: readonly EvidenceItem[], disposition: Verdict['disposition']): string | null {
  const isLookedUp = items.some(({ success, given }) => success && given !== true);
  if (!isLookedUp) return 'Unconfirmed: this low risk rests on no look-up.';
  return disposition === 'review' ? 'Unconfirmed: this low risk needs review.' : null;
}
