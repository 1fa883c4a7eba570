import type { FindContradictions } from '@casefile/pipeline/parts/contradicting';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import {
  againstIn,
  contradictionOf,
  LIKE_SCAMS_FROM,
  signsCounted,
  type SignalsFound,
} from '@casefile/pipeline/text-signals/signals-found';
import { ENGAGE_FROM, SCAM_FROM, weighText } from '@casefile/pipeline/text-signals/weigh-text';
import type { RiskLevel } from './question.js';
import { mailKnown, namesToAct, weighedText } from '@casefile/pipeline/scam/text-reading';
import { mailInSentences } from '@casefile/pipeline/scam/mail-findings';
import { hasReports } from '@casefile/pipeline/scam/tool-readings';

/** Lowest risk level that the text permits, independent of the results of look-ups. */
export interface TextFloor {
  riskLevel: Exclude<RiskLevel, 'low'>;
  /** From 0 to 1 in hundredths, equal to that of message-screening for the same text. */
  confidence: number;
  explanation: string;
  /** Id of the evidence item that requires this level. */
  evidenceId: string;
}

/**
 * Returns the lowest risk that the text allows (T-22). Medium: message-screening would engage by rules. High:
 * the signs, those of a mail and the message model suffice for high, and the text names a link, a number, a wallet or a
 * payment id, or the mail has something to open or answer. null: no limit; also for evidence from before the message model, so that old verdicts stay
 * unchanged.
 */
export function textFloor({ brief, evidence }: Pick<ReasonInput, 'brief' | 'evidence'>): TextFloor | null {
  const text = weighedText(evidence);
  if (text === null || text.whole.confidence < ENGAGE_FROM) return null;
  const known = { levels: [], isReported: false, ...mailKnown(evidence) };
  const isNaming = namesToAct(brief).length > 0 || known.mail?.asks === true;
  const isHigh = weighText(text.found, known).confidence >= ENGAGE_FROM && isNaming;
  return {
    riskLevel: isHigh ? 'high' : 'medium',
    confidence: text.whole.confidence,
    explanation: [signalsFoundExplanation(text.found, isHigh), ...mailInSentences(evidence)].join(' '),
    evidenceId: text.evidenceId,
  };
}

/** Finds a contradiction if a model calls the risk low while the rules call the text a scam. */
export const contradictions: FindContradictions = ({ evidence, draft }) => {
  const text =
    draft.method !== 'heuristic' && draft.answer['riskLevel'] === 'low' ? weighedText(evidence) : null;
  if (text === null || text.whole.weight < SCAM_FROM) return [];
  const reported = evidence.items.filter(hasReports).map(({ id }) => id);
  return [
    {
      by: 'text_signals',
      message: contradictionOf(draft.explanation, [
        ...againstIn(text.found).map((said) => `${said} [${text.evidenceId}]`),
        ...(reported.length === 0 ? [] : [`scam reports on what it names [${reported.join(', ')}]`]),
      ]),
    },
  ];
};

function signalsFoundExplanation(found: SignalsFound, isHigh: boolean): string {
  const signs = signsCounted(found);
  const { message_model: model } = found;
  const words = (model?.words ?? []).map((word) => `"${word}"`).join(', ');
  return [
    isHigh
      ? 'High risk by the text itself, which also names what the receiver is to follow, call or pay.'
      : 'At least a medium risk by the text itself.',
    ...(signs === null ? [] : [`It shows ${signs}.`]),
    ...(model !== null && model.score >= LIKE_SCAMS_FROM && words !== ''
      ? [`Its words are like those of known scams (${model.score.toFixed(2)} of 1), above all ${words}.`]
      : []),
  ].join(' ');
}
