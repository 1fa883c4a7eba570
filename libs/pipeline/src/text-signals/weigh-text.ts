import type { SignalsFound } from './signals-found.js';

/** What the score of the message model weighs, from the highest bound that it reaches on; by cross-validation (decision 0028). */
const MODEL_WEIGHTS = [
  { from: 0.97, weight: 2 },
  { from: 0.92, weight: 1 },
  { from: 0.75, weight: 0.5 },
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

/** What the text itself weighs: its signs, and what the message model says; 1 is one plain request. */
export function weightOfText({ weight, message_model: model }: SignalsFound): number {
  const score = model?.score ?? 0;
  return weight + (MODEL_WEIGHTS.find(({ from }) => score >= from)?.weight ?? 0);
}

/** What is known of it beside: the levels of the patterns that it is like, and whether there are reports on what it names. */
export function weightOfKnown(levels: readonly string[], isReported: boolean): number {
  const patterns = levels.reduce((most, level) => Math.max(most, PATTERN_WEIGHTS[level] ?? 0), 0);
  return patterns + (isReported ? REPORTED_WEIGHT : 0);
}

/** Signs of texts that ask for nothing yet: a stranger's opening, a hook, a sad story. */
const SOFT = new Set(['stranger', 'hook', 'emotional', 'topic']);

/**
 * How sure rules are that a text is a scam, 0..1 in hundredths. Where all of its signs are soft, neither the message model nor a
 * known pattern makes that enough to engage: it is probed. T-23.
 * @param weight That of the text and of what is known of it.
 */
export function confidenceOfText({ signals }: Pick<SignalsFound, 'signals'>, weight: number): number {
  const isSoft = signals.length > 0 && signals.every(({ kind }) => SOFT.has(kind));
  const sure = confidenceOfScam(weight);
  return isSoft ? Math.min(sure, BELOW_ENGAGE) : sure;
}

function confidenceOfScam(weight: number): number {
  const sure = CONFIDENCE.least + CONFIDENCE.each * (weight - SCAM_FROM);
  return Math.round(Math.min(CONFIDENCE.most, sure) * 100) / 100;
}
