import { LIKE_SCAMS_FROM, type SignalsFound } from './signals-found.js';

/** What the score of the message model weighs, from the highest bound that it reaches on; by cross-validation (decision 0028). */
const MODEL_WEIGHTS = [
  { from: 0.97, weight: 2 },
  { from: 0.92, weight: 1 },
  { from: LIKE_SCAMS_FROM, weight: 0.5 },
] as const;
/** What a known pattern that a text is like weighs, by the level of the nearest one. */
const PATTERN_WEIGHTS: Readonly<Record<string, number>> = { HIGH: 1, MEDIUM: 0.5 };
/** What scam reports on something that the text names weigh. */
const REPORTED_WEIGHT = 2;
/**
 * From this weight on a message is called a scam: two plain signs, or one that is hardly ever harmless. Set on the
 * halves of the labelled messages that rules are developed on.
 */
export const SCAM_FROM = 2;
/** Confidence of a scam at that weight, what each further unit adds, and its bound: rules are never certain. */
const CONFIDENCE = { least: 0.55, each: 0.1, most: 0.95 } as const;
/** Confidence from which rules engage, where no option sets another. */
export const ENGAGE_FROM = 0.7;
const BELOW_ENGAGE = 0.69;
/** Weight from which rules engage: the confidence of this weight is `ENGAGE_FROM`. */
export const ENGAGE_WEIGHT = SCAM_FROM + hundredths((ENGAGE_FROM - CONFIDENCE.least) / CONFIDENCE.each);

/** Signs of texts that ask for nothing yet: a stranger's opening, a hook, a sad story. */
const SOFT = new Set(['stranger', 'hook', 'emotional', 'topic']);
/** Soft signs that hardly any harmless message shows. */
const OPENINGS = new Set(['stranger', 'hook']);

/** What is known of a text besides its own words. */
export interface KnownFacts {
  /** The levels of the patterns that it is like. */
  levels: readonly string[];
  /** There are scam reports on something that it names. */
  isReported: boolean;
}

/** How much speaks for a scam: the weight (1 is one plain request), and how sure rules are of a scam of it, 0..1 in hundredths. */
export interface TextWeight {
  weight: number;
  confidence: number;
}

/**
 * Weighs a text by its signs, the message model and what is known of it. Where all of its signs are soft and nothing that it
 * names was reported, it is never enough to engage; an opening is always enough to probe. T-23.
 * @param known Absent: the text alone.
 */
export function weighText(
  found: SignalsFound,
  known: KnownFacts = { levels: [], isReported: false },
): TextWeight {
  const { signals, weight, message_model: model } = found;
  const score = model?.score ?? 0;
  const patterns = known.levels.reduce((most, level) => Math.max(most, PATTERN_WEIGHTS[level] ?? 0), 0);
  const sum =
    weight +
    (MODEL_WEIGHTS.find(({ from }) => score >= from)?.weight ?? 0) +
    patterns +
    (known.isReported ? REPORTED_WEIGHT : 0);
  // Evidence of a release before the message model is weighed as it was then.
  const isOpening = model !== null && signals.some(({ kind }) => OPENINGS.has(kind));
  const isSoft = !known.isReported && signals.length > 0 && signals.every(({ kind }) => SOFT.has(kind));
  const total = isOpening ? Math.max(sum, SCAM_FROM) : sum;
  const sure = weightConfidence(total);
  return { weight: total, confidence: isSoft ? Math.min(sure, BELOW_ENGAGE) : sure };
}

function weightConfidence(weight: number): number {
  const sure = CONFIDENCE.least + CONFIDENCE.each * (weight - SCAM_FROM);
  return hundredths(Math.min(CONFIDENCE.most, sure));
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
