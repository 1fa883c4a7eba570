import type { Evidence, EvidenceItem } from '@casefile/contracts';
import type { FindContradictions } from '../../parts/contradicting.js';
import type { ReasonInput } from '../../strategy.js';
import {
  againstIn,
  contradictionOf,
  LIKE_SCAMS_FROM,
  signalsFound,
  signsCounted,
  type SignalsFound,
} from '../../text-signals/signals-found.js';
import { ENGAGE_FROM, SCAM_FROM, weighText } from '../../text-signals/weigh-text.js';
import type { RiskLevel } from './question.js';
import { hasReports } from '../../scam/tool-readings.js';

/**
 * What a receiver is to follow, call or pay: a text that names none of it leaves nothing to act on. A bare domain counts only
 * with a hyphen or a digit: people leave out the space after a full stop ("and send you.my mom").
 */
const ACTED_ON = ['url', 'phone', 'crypto', 'payment'];

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
  const text = weighed(evidence);
  if (text === null || text.whole.confidence < ENGAGE_FROM) return null;
  const isHigh = weighText(text.found).confidence >= ENGAGE_FROM && namesToAct(brief).length > 0;
  return {
    riskLevel: isHigh ? 'high' : 'medium',
    confidence: text.whole.confidence,
    explanation: signalsFoundExplanation(text.found, isHigh),
    evidenceId: text.evidenceId,
  };
}

/** Returns what a text names for its receiver to follow, call or pay. */
export function namesToAct({ entities }: ReasonInput['brief']): string[] {
  return [
    ...ACTED_ON.flatMap((type) => entities[type] ?? []),
    ...(entities['domain'] ?? []).filter((domain) => /[-\d]/.test(domain)),
  ];
}

/** What speaks against a model that calls the risk low: the rules call the same text a scam. T-01. */
export const contradictions: FindContradictions = ({ evidence, draft }) => {
  const text = draft.method !== 'heuristic' && draft.answer['riskLevel'] === 'low' ? weighed(evidence) : null;
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

/** The reading of the text with all that is known of it, weighed; null: no release that has the message model read it. */
function weighed({ items }: Evidence) {
  const [text] = items.flatMap((item) => {
    const found = hasMessageModel(item) ? signalsFound(item) : null;
    return found === null ? [] : [{ evidenceId: item.id, found }];
  });
  if (text === undefined) return null;
  return { ...text, whole: weighText(text.found, knownOfText(text.found, { items })) };
}

/** Returns what is known of a text besides its words: the levels of the patterns it is like, and scam reports. */
export function knownOfText({ nearestPatterns }: SignalsFound, { items }: Evidence) {
  return { levels: nearestPatterns.map(({ level }) => level), isReported: items.some(hasReports) };
}

/** Returns our own reading of the text; null: it was not read, or the sender of the alert supplied the reading. */
export function evidenceOfText({ items }: Evidence): { id: string; found: SignalsFound } | null {
  const [text] = items.flatMap((item) => {
    const found = item.given === true ? null : signalsFound(item);
    return found === null ? [] : [{ id: item.id, found }];
  });
  return text ?? null;
}

// Evidence that the sender supplied is not our own reading.
function hasMessageModel({ given, result }: EvidenceItem): boolean {
  return given !== true && typeof result === 'object' && result !== null && 'message_model' in result;
}

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
