import type { Draft, Evidence } from '@casefile/contracts';
import type { RuleAnswer, ReasonInput, DraftParts } from '@casefile/pipeline/strategy';
import { signalsFound, signInWords } from '@casefile/pipeline/text-signals/signals-found';
import { SCAM_FROM, weighText } from '@casefile/pipeline/text-signals/weigh-text';
import { evidenceItemReading, speaksForScam } from '@casefile/pipeline/scam/tool-readings';
import { evidenceOfMail, isHarmlessForm, mailSignInWords } from '@casefile/pipeline/scam/mail-findings';
import { knownOfText, mailKnown } from '@casefile/pipeline/scam/text-reading';
import { categoryBySigns } from './category-by-signs.js';
import { options } from './options.js';
import { evidenceMatches } from './matches.js';

/** Remark by which the decision rule distinguishes a judged draft from the safe default. */
export const BY_RULES = 'judged_by_rules';

/** Remark of a safe default that the rules gave because they do not read the language of the message. */
export const LANGUAGE_NOT_READ = 'language_not_read';
const NOT_READ =
  'The message was not judged: no language model is configured, and the rules do not read its language.';
const CONFIDENCE_OF_HARMLESS = 0.7;

/**
 * Judges a message by rules: signs in its text, similar known patterns, and scam reports about its entities.
 * Returns the safe default if the text was not read.
 */
export function judgeByRules(
  input: Pick<ReasonInput, 'brief' | 'evidence'>,
): Omit<Draft, 'strategy' | 'promptId'> {
  const text = textWeighed(input.evidence);
  if (text === null) return safeDefault();
  const { matches, reported, weight, confidence: sure } = text;
  const isScam = weight >= SCAM_FROM;
  if (!isScam && !text.found.isRead && !isHarmlessForm(input.evidence)) {
    const unread = safeDefault(NOT_READ);
    return { ...unread, remarks: [...unread.remarks, LANGUAGE_NOT_READ] };
  }
  const signs = [...text.found.signals, ...text.found.notes];
  const mail = evidenceOfMail(input.evidence);
  const redFlags = [
    ...signs.map(signInWords),
    ...(mail?.found.signals ?? []).filter(({ weight }) => weight > 0).map(mailSignInWords),
    ...reported.map(({ entityType, toolName }) =>
      toolName === 'scam_db'
        ? `scam reports on the ${entityType} it names`
        : `a bad result for the ${entityType} it names`,
    ),
  ];
  const evidenceUsed = [
    ...new Set([
      text.id,
      ...(mail === null ? [] : [mail.id]),
      ...matches.map(({ evidenceId }) => evidenceId),
      ...reported.map(({ id }) => id),
    ]),
  ];
  const confidence = isScam ? sure : CONFIDENCE_OF_HARMLESS;
  const reasoning = isScamReasoning(isScam, redFlags);
  return {
    answer: {
      isScam,
      confidence,
      primaryCategory: isScam
        ? categoryBySigns(
            signs.map(({ kind }) => kind),
            matches.map(({ match }) => match.category),
          )
        : null,
      reasoning,
      matchedPatterns: [...new Set(matches.map(({ match }) => match.patternId))],
      redFlags: isScam ? redFlags : [],
      legitimacyIndicators: text.found.legitimacy.map(signInWords),
    },
    explanation: reasoning,
    claims: [{ text: reasoning, citations: evidenceUsed }],
    evidenceUsed,
    confidence,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: [BY_RULES],
  };
}

/** Returns our reading of a message, weighed with known patterns and scam reports; null: it was not read. */
export function textWeighed(evidence: Evidence) {
  const read = evidence.items.flatMap((item) => {
    const found = signalsFound(item);
    // Only our reading counts, because the sender of an alert may supply another one.
    return found === null || item.given === true ? [] : [{ id: item.id, found }];
  });
  const [text] = read;
  if (text === undefined) return null;
  const matches = evidenceMatches(evidence).filter(({ match }) => match.level !== 'LOW');
  const reported = evidence.items.filter(speaksForScam);
  // Numbers of accounts and payments look like invented phone numbers, so these are shown and add no weight.
  const isReported = reported.some((item) => evidenceItemReading(item).kind !== 'phone');
  const { levels } = knownOfText(text.found, evidence);
  return {
    ...text,
    matches,
    reported,
    ...weighText(text.found, { levels, isReported, ...mailKnown(evidence) }),
  };
}

/** After a failure of the model, nothing is judged unless the options let the rules judge. */
export const afterFailure: RuleAnswer = (input, _unit, settings) =>
  options.read(settings.options).onFailure === 'rules' ? judgeByRules(input) : safeDefault();

function isScamReasoning(isScam: boolean, redFlags: string[]): string {
  if (isScam) return `By rules, without a language model: ${redFlags.join('; ')}.`;
  return redFlags.length === 0
    ? 'By rules, without a language model: nothing in the message speaks for a scam.'
    : `By rules, without a language model: too little speaks for a scam (${redFlags.join('; ')}).`;
}

const SAID = 'The message was not judged: nothing could say whether it is a scam, so it is left alone.';

/** Returns the answer if nothing can be judged: no scam, and confidence 0. The verdict is then degraded. */
export function safeDefault(said = SAID): DraftParts {
  return {
    answer: {
      isScam: false,
      confidence: 0,
      primaryCategory: null,
      reasoning: said,
      matchedPatterns: [],
      redFlags: [],
      legitimacyIndicators: [],
    },
    explanation: said,
    claims: [],
    evidenceUsed: [],
    confidence: 0,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: ['safe_default'],
  };
}
