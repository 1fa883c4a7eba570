import {
  CasefileError,
  IMAGE_UNREADABLE,
  reasonInWords,
  whyNoAnswer,
  gapsOf,
  z,
  type JsonObject,
  type RunSettings,
} from '@casefile/contracts';
import {
  decisionRule,
  missingParts,
  type DecidedUnits,
  type Decision,
  type Missing,
} from '@casefile/pipeline/parts/deciding';
import type { UnitResult } from '@casefile/pipeline/stage-parts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { unreadOf } from '@casefile/pipeline/text-or-image';
import { inLine } from '@casefile/pipeline/plain-text';
import { signalsFound } from '@casefile/pipeline/text-signals/signals-found';
import { lookUpNotes } from './matches.js';
import { BY_RULES } from './judge-by-rules.js';
import { distinctFlags } from './answer.js';
import { options, type ScreeningOptions } from './options.js';
import { sessionData } from './session-effects.js';

/** Fields of the answer that the decision uses. Other fields of the draft are ignored. */
const answerSchema = z.object({
  isScam: z.boolean(),
  confidence: z.number().min(0).max(1),
  primaryCategory: z.string().nullable().default(null),
  redFlags: z.array(z.string()).default([]),
});
type DecidedAnswer = z.infer<typeof answerSchema>;

/** Possible actions on a message, the weakest first. */
export const ACTIONS = ['ignore', 'probe', 'engage'] as const;
type ScreeningAction = (typeof ACTIONS)[number];
/** Disposition that follows from each action. `probe` asks the sender for more, and counts as a review. */
export const DISPOSITION = { engage: 'act', probe: 'review', ignore: 'dismiss' } as const;

interface ScreeningRuling {
  action: ScreeningAction;
  reason: string;
  /** A person reviews the case although the action is `ignore`. */
  needsReview?: boolean;
}

/** Decides the action by a table of mode, answer, confidence and red flags (S3-40 to S3-43). */
export const engageProbeIgnore = decisionRule({
  name: 'engage-probe-ignore',
  judge: strongest,
  missing: (_units, { unit }) => missingIn(unit),
  decide: ({ judged, runId, degraded }) => decisionOf(judged, degraded, runId),
});

function strongest([first, ...others]: DecidedUnits, settings: RunSettings): RuledUnit {
  const thresholds = options.read(settings.options);
  return others.map((unit) => applyRules(unit, thresholds)).reduce(stronger, applyRules(first, thresholds));
}

interface RuledUnit extends ScreeningRuling {
  unit: UnitResult;
  answer: DecidedAnswer;
}

function applyRules(unit: UnitResult, thresholds: ScreeningOptions): RuledUnit {
  const answer = decidedAnswer(unit);
  // If the model failed, the answer is only a safe default. It never leads to an action (S3-41).
  if (isUnjudged(unit)) return { unit, answer, action: 'ignore', reason: 'not judged' };
  return { unit, answer, ...tableRow(unit.brief.mode === 'normal', answer, thresholds) };
}

function tableRow(
  isNormal: boolean,
  { isScam, confidence, redFlags }: DecidedAnswer,
  t: ScreeningOptions,
): ScreeningRuling {
  if (!isScam) return { action: 'ignore', reason: 'not a scam' };
  if (isNormal) {
    if (confidence >= t.normalEngageFrom) return { action: 'engage', reason: 'high confidence' };
    if (confidence >= t.normalProbeFrom) return { action: 'probe', reason: 'medium confidence' };
    return { action: 'ignore', reason: 'low confidence' };
  }
  const count = redFlags.length;
  // The table is not monotonic on purpose: two red flags lead to `probe` at confidence 0.8, but to `ignore`
  // at 0.9.
  if (confidence >= t.strictEngageFrom)
    return count >= t.strictEngageFlags
      ? { action: 'engage', reason: 'high confidence and indicators' }
      : // Enough flags for `probe` at a lower confidence: the message is ignored, but a person reviews it.
        { action: 'ignore', reason: 'insufficient indicators', needsReview: count >= t.strictProbeFlags };
  if (confidence >= t.strictProbeFrom)
    return count >= t.strictProbeFlags
      ? { action: 'probe', reason: 'medium confidence and indicators' }
      : { action: 'ignore', reason: 'insufficient indicators' };
  return { action: 'ignore', reason: 'low confidence' };
}

function stronger(a: RuledUnit, b: RuledUnit): RuledUnit {
  return ACTIONS.indexOf(b.action) > ACTIONS.indexOf(a.action) ? b : a;
}

function decidedAnswer({ draft }: UnitResult): DecidedAnswer {
  const parsed = answerSchema.safeParse(draft.answer);
  if (parsed.success) return { ...parsed.data, redFlags: distinctFlags(parsed.data.redFlags) };
  throw new CasefileError(
    'bad_draft',
    `the policy engage-probe-ignore cannot read the answer of ${draft.strategy}: ${parsed.error.message}`,
  );
}

function isUnjudged({ draft }: UnitResult): boolean {
  if (isByRules(draft)) return false;
  return draft.method === 'heuristic' || draft.fallbackReason !== undefined;
}

// Rules that judge the text (S3-44) mark their draft. A draft without the mark is the safe default, which
// judges nothing.
function isByRules({ method, remarks }: UnitResult['draft']): boolean {
  return method === 'heuristic' && remarks.includes(BY_RULES);
}

// A missing model configuration is no cause: the verdict is not degraded, and its `method` shows that rules
// judged (S1-17, S3-41).
function missingIn(unit: UnitResult): Missing {
  const { causes, lookUps } = missingParts([unit]);
  return { causes: [...causes, unreadOf(unit).length > 0 ? IMAGE_UNREADABLE : null], lookUps };
}

function decisionOf(of: RuledUnit, degraded: boolean, runId: string | undefined): Decision {
  const { unit, action } = of;
  return {
    outcome: outcomeOf(of, runId),
    disposition: action === 'ignore' && isLeftToPerson(of, degraded) ? 'review' : DISPOSITION[action],
    unit,
    ...(isUnjudged(unit) && { confidence: 0 }),
    reasons: reasonsOf(of),
  };
}

/**
 * Returns whether a person must review a message that is ignored: it was not judged, the verdict is degraded,
 * the evidence contradicts the answer, or the rules cannot read its language.
 */
function isLeftToPerson({ unit, needsReview = false }: RuledUnit, isDegraded: boolean): boolean {
  const isContradicted = unit.review.findings.some(isContradiction);
  return isUnjudged(unit) || isDegraded || needsReview || isContradicted || isUnreadByRules(unit);
}

function isUnreadByRules({ draft, evidence }: UnitResult): boolean {
  return isByRules(draft) && evidence.items.some((item) => signalsFound(item)?.isRead === false);
}

function outcomeOf({ unit, answer, action, reason }: RuledUnit, runId: string | undefined): JsonObject {
  const { brief, draft } = unit;
  const found = isUnjudged(unit) ? { ...answer, isScam: false, confidence: 0, redFlags: [] } : answer;
  const { confidence, redFlags } = found;
  const category = found.isScam ? found.primaryCategory : null;
  return {
    action,
    scamDetected: found.isScam,
    confidence,
    category,
    reasoning: draft.explanation,
    redFlags,
    reason,
    mode: brief.mode ?? 'strict',
    language: brief.language?.code ?? 'und',
    // Answer to the platform that sent the message (S3-42). A session of a single message gets the id of its
    // run.
    ...(action === 'ignore'
      ? { reply: null }
      : {
          engagement: {
            ...sessionData(brief, runId),
            stage: 'opened',
            category,
            confidence,
            redFlags,
          },
        }),
  };
}

function reasonsOf({ unit, answer, action, reason }: RuledUnit): string[] {
  const { brief, draft, evidence, review } = unit;
  const mode = brief.mode ?? 'strict';
  const facts = `mode ${mode}, confidence ${answer.confidence}, ${answer.redFlags.length} red flags`;
  const gaps = gapsOf(evidence).map(
    (gap) =>
      `${gap.toolName} gave no answer: ${gap.reason === undefined ? 'it failed' : reasonInWords(gap.reason)}.`,
  );
  const first = isUnjudged(unit)
    ? `Safe default ${action}: the message was not judged: ${notJudged(draft)}.`
    : `${action}: ${reason} (${facts}).`;
  return [
    ...review.findings.filter(isContradiction).map((finding) => finding.message),
    first,
    ...unreadOf(unit),
    ...(isUnreadByRules(unit) ? ['The text is in a language that the rules do not read.'] : []),
    ...gaps,
    ...lookUpNotes(evidence).map((note) => `Known patterns: ${inLine(note, 300)}`),
    ...draft.remarks.flatMap((remark) => REMARKS[remark] ?? []),
    ...review.findings.filter((finding) => !isContradiction(finding)).map((finding) => finding.message),
  ];
}

function notJudged({ fallbackReason }: UnitResult['draft']): string {
  return fallbackReason === undefined ? 'no language model was asked' : whyNoAnswer(fallbackReason);
}

const REMARKS: Record<string, string> = {
  [BY_RULES]: 'Judged by rules over the text, known patterns and scam reports, without a language model.',
  unknown_pattern: 'The answer names a known pattern that it was not shown.',
};
