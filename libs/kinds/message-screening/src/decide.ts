import {
  IMAGE_UNREADABLE,
  reasonInWords,
  whyNoAnswer,
  gapsOf,
  lookUpsOf,
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
import { reasonsAgainstDismissal } from '@casefile/pipeline/scam/against-dismissal';
import { isHarmlessForm } from '@casefile/pipeline/scam/mail-findings';
import { proofOf, recordStance } from '@casefile/pipeline/scam/burden-of-proof';
import { inLine } from '@casefile/pipeline/plain-text';
import { signalsFound } from '@casefile/pipeline/text-signals/signals-found';
import { lookUpNotes } from './matches.js';
import { BY_RULES } from './judge-by-rules.js';
import {
  ACTIONS,
  DISPOSITION,
  tableRuling,
  type DecidedAnswer,
  type ScreeningRuling,
} from './action-table.js';
import { options, type ScreeningOptions } from './options.js';
import { sessionData } from './session-effects.js';

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
  /** Sentences on the proof that is missing for the answer. */
  unproven: string[];
}

function applyRules(unit: UnitResult, thresholds: ScreeningOptions): RuledUnit {
  const ruled = tableRuling(unit, thresholds);
  // If the model failed, the answer is only a safe default. It never leads to an action (S3-41).
  if (isUnjudged(unit))
    return { unit, answer: ruled.answer, action: 'ignore', reason: 'not judged', unproven: [] };
  return { unit, ...proven(unit, ruled, thresholds) };
}

type Ruled = ReturnType<typeof tableRuling>;

/**
 * Returns the ruling of the table as far as it has the proof that it needs (T-32, T-33). Without it, the sender is
 * probed. A message that the model calls harmless needs review only, unless evidence contradicts it. A message that the
 * model calls a scam and the table ignores needs review unless the rules find it harmless.
 */
function proven(unit: UnitResult, ruled: Ruled, thresholds: ScreeningOptions): Omit<RuledUnit, 'unit'> {
  const { action, answer } = ruled;
  if (isByRules(unit.draft) && action === 'ignore') {
    // The rules of both kinds dismiss the same messages.
    const doubts = reasonsAgainstDismissal(unit.brief, unit.evidence, thresholds);
    return { ...ruled, needsReview: doubts.length > 0, unproven: doubts };
  }
  if (action === 'probe' || unit.draft.method !== 'llm') return { ...ruled, unproven: [] };
  if (action === 'ignore' && answer.isScam) {
    const isHarmless = recordStance('harmless', unit, thresholds) === 'agrees';
    return { ...ruled, needsReview: ruled.needsReview === true || !isHarmless, unproven: [] };
  }
  // A look-up that failed already sends a message that is ignored to review.
  if (action === 'ignore' && lookUpsOf(unit.evidence.items).failed > 0) return { ...ruled, unproven: [] };
  const { holds, reasons } = proofOf(action === 'engage' ? 'scam' : 'harmless', unit, thresholds);
  if (holds) return { ...ruled, unproven: [] };
  if (action === 'ignore' && !isContradicted(unit))
    return { answer, action, reason: 'not confirmed', needsReview: true, unproven: reasons };
  return { answer, action: 'probe', reason: 'not confirmed', unproven: reasons };
}

function stronger(a: RuledUnit, b: RuledUnit): RuledUnit {
  return ACTIONS.indexOf(b.action) > ACTIONS.indexOf(a.action) ? b : a;
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
  return isUnjudged(unit) || isDegraded || needsReview || isContradicted(unit) || isUnreadByRules(unit);
}

const isContradicted = ({ review }: UnitResult): boolean => review.findings.some(isContradiction);

function isUnreadByRules({ draft, evidence }: UnitResult): boolean {
  if (isHarmlessForm(evidence)) return false;
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

function reasonsOf({ unit, answer, action, reason, unproven }: RuledUnit): string[] {
  const { brief, draft, evidence, review } = unit;
  const mode = brief.mode ?? 'strict';
  const facts = `mode ${mode}, confidence ${answer.confidence}, ${answer.redFlags.length} red flags`;
  // A tool that is not set up is no failure; the report lists it.
  const failed = gapsOf(evidence).filter((gap) => gap.reason !== 'not_configured');
  const gaps = failed.map(
    (gap) =>
      `${gap.toolName} gave no answer: ${gap.reason === undefined ? 'it failed' : reasonInWords(gap.reason)}.`,
  );
  const first = isUnjudged(unit)
    ? `Safe default ${action}: the message was not judged: ${notJudged(draft)}.`
    : `${action}: ${reason} (${facts}).`;
  return [
    ...review.findings.filter(isContradiction).map((finding) => finding.message),
    ...unproven,
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
