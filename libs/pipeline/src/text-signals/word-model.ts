import { base64 } from '@scure/base';
import { isReadable } from './is-readable.js';
import type { Token } from './tokens.js';
import { featuresOf } from './word-features.js';
import { WORD_MODEL } from './word-model-data.js';

/** A linear model as its file holds it; `tools/train-word-model.mjs` makes it. */
export interface WordModelData {
  /** SHA-256 of what it was trained on. */
  trainedOn: string;
  /** What a step of a weight is worth. */
  step: number;
  bias: number;
  /** A signed byte for each bucket, in base64. */
  weights: string;
}

/** Words below which a text is too short to be like anything. */
const LEAST_WORDS = 3;
const IS_WORD = /^[\p{Ll}\p{Lo}]/u;

/** How like those of known scams the words of a text are, by the model of this release. */
export const likenessOf = likenessBy(WORD_MODEL);

/**
 * How much more the words of a text are like those of known scams than of harmless messages: from 0 to 1 in hundredths, 0.5
 * where they are as like the one as the other. null: too few words, or a language that the model has not learned. S1-16.
 * Of the text given: what the tokens were taken from; a bounded part, for the time is linear in it.
 */
export function likenessBy({ step, bias, weights: encoded }: WordModelData) {
  const weights = new Int8Array(base64.decode(encoded).buffer);
  return (text: string, tokens: readonly Token[]): number | null => {
    const words = tokens.filter(({ plain }) => IS_WORD.test(plain)).length;
    if (words < LEAST_WORDS || !isReadable(tokens)) return null;
    const steps = featuresOf(text, tokens).reduce(
      (sum, { bucket, value }) => sum + value * (weights[bucket] ?? 0),
      0,
    );
    return Math.round(100 / (1 + Math.exp(-(bias + step * steps)))) / 100;
  };
}
