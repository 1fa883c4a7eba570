import type { Evidence, EvidenceItem } from '@casefile/contracts';
import type { FindContradictions } from '../../parts/contradicting.js';
import type { ReasonInput } from '../../strategy.js';
import {
  againstIn,
  contradictionOf,
  signalsFound,
  signInWords,
  type SignalsFound,
} from '../../text-signals/signals-found.js';
import {
  confidenceOfText,
  ENGAGE_FROM,
  SCAM_FROM,
  weightOfKnown,
  weightOfText,
} from '../../text-signals/weigh-text.js';
import type { RiskLevel } from './question.js';
import { readingOf } from './tool-readings.js';

/**
 * What a receiver is to follow, call or pay: a text that names none of it leaves nothing to act on. A bare domain counts only
 * with a hyphen or a digit: people leave out the space after a full stop ("and send you.my mom").
 */
const ACTED_ON = ['url', 'phone', 'crypto', 'payment'];
/** Findings that the explanation names. */
const NAMED = 3;

/** The least risk that the text itself shows, whatever the look-ups found. */
export interface TextFloor {
  riskLevel: Exclude<RiskLevel, 'low'>;
  /** 0..1 in hundredths, that of message-screening for the same text. */
  confidence: number;
  explanation: string;
  /** The evidence that it rests on. */
  evidenceId: string;
}

/**
 * Returns the least risk by the text: medium where message-screening would engage by rules, for the same reasons; high where the
 * text's own signs and the message model are enough for that and it names a link, a number, a wallet or a payment id. T-22.
 * null: no floor; also for evidence of a release before the message model, so that its verdicts stay as they are.
 */
export function textFloor({ brief, evidence }: Pick<ReasonInput, 'brief' | 'evidence'>): TextFloor | null {
  const weighed = weighText(evidence);
  if (weighed === null) return null;
  const { own, known, found, evidenceId } = weighed;
  const confidence = confidenceOfText(found, own + known);
  if (confidence < ENGAGE_FROM) return null;
  const named = [
    ...ACTED_ON.flatMap((type) => brief.entities[type] ?? []),
    ...(brief.entities['domain'] ?? []).filter((domain) => /[-\d]/.test(domain)),
  ];
  const isHigh = confidenceOfText(found, own) >= ENGAGE_FROM && named.length > 0;
  return {
    riskLevel: isHigh ? 'high' : 'medium',
    confidence,
    explanation: explanationOf(found, isHigh),
    evidenceId,
  };
}

/** What the text weighs by its own signs and by what is known of it; null: it was not read by a release that has the message model. */
function weighText({ items }: Evidence) {
  const [text] = items.flatMap((item) => {
    const found = hasMessageModel(item) ? signalsFound(item) : null;
    return found === null ? [] : [{ evidenceId: item.id, found }];
  });
  if (text === undefined) return null;
  const known = weightOfKnown(
    text.found.nearestPatterns.map(({ level }) => level),
    items.some(isReported),
  );
  return { ...text, own: weightOfText(text.found), known };
}

/** What speaks against a model that calls the risk low: the rules call the same text a scam. T-01. */
export const contradictions: FindContradictions = ({ evidence, draft }) => {
  const weighed = draft.method === 'llm' && draft.answer['riskLevel'] === 'low' ? weighText(evidence) : null;
  if (weighed === null || weighed.own + weighed.known < SCAM_FROM) return [];
  const { evidenceId, found } = weighed;
  const reported = evidence.items.filter(isReported).map(({ id }) => id);
  return [
    {
      by: 'text_signals',
      message: contradictionOf(draft.explanation, [
        ...againstIn(found).map((said) => `${said} [${evidenceId}]`),
        ...(reported.length === 0 ? [] : [`scam reports on what it names [${reported.join(', ')}]`]),
      ]),
    },
  ];
};

// What the sender of an alert handed in is no reading of ours.
function hasMessageModel({ given, result }: EvidenceItem): boolean {
  return given !== true && typeof result === 'object' && result !== null && 'message_model' in result;
}

function isReported(item: EvidenceItem): boolean {
  if (!item.success) return false;
  const reading = readingOf(item);
  return reading.kind === 'reports' && reading.found && reading.reportCount > 0;
}

function explanationOf({ signals, notes, message_model: model }: SignalsFound, isHigh: boolean): string {
  const signs = [...signals, ...notes];
  const strongest = signs.slice(0, NAMED).map(signInWords).join('; ');
  const more = signs.length > NAMED ? ` and ${signs.length - NAMED} more` : '';
  const words = (model?.words ?? []).map((word) => `"${word}"`).join(', ');
  return [
    isHigh
      ? 'High risk by the text itself, which also names what the receiver is to follow, call or pay.'
      : 'At least a medium risk by the text itself.',
    ...(signs.length === 0
      ? []
      : [
          `It shows ${signs.length} ${signs.length === 1 ? 'sign' : 'signs'} of a scam: ${strongest}${more}.`,
        ]),
    ...(model !== null && model.score >= 0.75 && words !== ''
      ? [`Its words are like those of known scams (${model.score.toFixed(2)} of 1), above all ${words}.`]
      : []),
  ].join(' ');
}
