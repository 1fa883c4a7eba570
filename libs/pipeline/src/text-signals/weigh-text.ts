import { countsAsClose, isReceiptOrCode, LIKE_SCAMS_FROM, type SignalsFound } from './signals-found.js';

/**
 * Weights of the message model's score: that of the highest limit reached counts. Chosen by cross-validation
 * (decision 0028).
 */
const MODEL_WEIGHTS = [
  { from: 0.97, weight: 2 },
  { from: 0.92, weight: 1 },
  { from: LIKE_SCAMS_FROM, weight: 0.5 },
] as const;
/** Maximum weight of that score in a mail: the model learned from short messages. */
const MODEL_MOST_IN_MAIL = 1;
/** Weights of a similar known pattern, by the level of the nearest one. */
const PATTERN_WEIGHTS: Readonly<Record<string, number>> = { HIGH: 1, MEDIUM: 0.5 };
/** Weight of scam reports on an entity in the text. */
const REPORTED_WEIGHT = 2;
/**
 * Weight from which a message is called a scam: two plain signs, or one that is hardly ever harmless. Chosen
 * on the halves of the labelled messages that rules are developed on.
 */
export const SCAM_FROM = 2;
/**
 * Confidence of a scam at that weight, the addition per further unit, and the maximum, because rules are
 * never certain.
 */
const CONFIDENCE = { least: 0.55, each: 0.1, most: 0.95 } as const;
/** Default confidence from which rules engage. */
export const ENGAGE_FROM = 0.7;
const BELOW_ENGAGE = 0.69;

/** Weight whose confidence is `ENGAGE_FROM`. */
export const ENGAGE_WEIGHT = SCAM_FROM + hundredths((ENGAGE_FROM - CONFIDENCE.least) / CONFIDENCE.each);

/** Signs of texts that request no more than an answer: an opening of a stranger or superior, a hook, a sad story. */
const SOFT = new Set(['stranger', 'superior', 'hook', 'emotional', 'topic']);
/** Soft signs that hardly any harmless message shows. */
const OPENINGS = new Set(['stranger', 'superior', 'hook']);

/** Facts about a text other than its words. */
export interface KnownFacts {
  /** Levels of the patterns that the text is similar to. */
  levels: readonly string[];
  /** Whether there are scam reports on its entities. */
  isReported: boolean;
  /**
   * Signs of a mail other than its words: their weight; whether the mail has something to open or answer (`asks`);
   * whether they confirm the signs in the words; whether the mail only informs or discusses (`isCalm`); and whether
   * it is a calm long newsletter (`isDigest`), whose words are not weighed. Default: no mail.
   */
  mail?: { weight: number; asks: boolean; isConfirmed: boolean; isCalm: boolean; isDigest: boolean };
}

/**
 * Evidence for a scam: its weight (1 is one plain request), and the rules' confidence in a scam, 0..1 in
 * hundredths.
 */
export interface TextWeight {
  weight: number;
  confidence: number;
}

/**
 * Weighs a text by its signs, the message model and known facts. Without a report on an entity, the weight does not
 * suffice to engage if all signs are soft, the text requests nothing, or no other sign of a mail confirms its words.
 * An opening always suffices to probe (T-23).
 * @param known Default: only the text counts.
 */
export function weighText(
  textSignals: SignalsFound,
  known: KnownFacts = { levels: [], isReported: false },
): TextWeight {
  const { signals, weight, asks, message_model: model } = textSignals;
  // The message model was trained on messages to a person, not on newsletters and discussions.
  // The words of receipts are also those of scams that copy them.
  const score = known.mail?.isCalm === true || isReceiptOrCode(textSignals) ? 0 : (model?.score ?? 0);
  const levels = known.levels.filter((level) => countsAsClose(textSignals, level));
  const patterns = levels.reduce((most, level) => Math.max(most, PATTERN_WEIGHTS[level] ?? 0), 0);
  const likeness = MODEL_WEIGHTS.find(({ from }) => score >= from)?.weight ?? 0;
  const likenessCounted = Math.min(likeness, known.mail === undefined ? likeness : MODEL_MOST_IN_MAIL);
  const words = known.mail?.isDigest === true ? 0 : weight + likenessCounted + patterns;
  const sum = words + (known.isReported ? REPORTED_WEIGHT : 0) + (known.mail?.weight ?? 0);
  // Evidence of a release before the message model keeps its old weight.
  const isOpening = model !== null && signals.some(({ kind }) => OPENINGS.has(kind));
  const isSoft =
    !known.isReported &&
    (known.mail?.weight ?? 0) < SCAM_FROM &&
    signals.length > 0 &&
    signals.every(({ kind }) => SOFT.has(kind));
  const total = isOpening ? Math.max(sum, SCAM_FROM) : sum;
  const sure = weightConfidence(total);
  const isWithoutRequest = !known.isReported && !asks && known.mail?.asks !== true;
  // Long texts have many single words of the lists, and the message model was trained on short messages.
  const isUnconfirmedMail = !known.isReported && known.mail?.isConfirmed === false;
  // A true receipt may have a link, so a link alone is no proof of a scam.
  const isReceipt =
    !known.isReported && textSignals.legitimacy.some(({ kind }) => kind === 'receipt_with_request');
  return {
    weight: total,
    confidence:
      isReceipt || isSoft || isWithoutRequest || isUnconfirmedMail ? Math.min(sure, BELOW_ENGAGE) : sure,
  };
}

function weightConfidence(weight: number): number {
  const sure = CONFIDENCE.least + CONFIDENCE.each * (weight - SCAM_FROM);
  return hundredths(Math.min(CONFIDENCE.most, sure));
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
