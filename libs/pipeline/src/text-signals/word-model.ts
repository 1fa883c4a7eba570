import { base64 } from '@scure/base';
import { isReadable } from './is-readable.js';
import { type Token, foldedFor } from './tokens.js';
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

/** Features fall into this many buckets by their hash; two of them may share one. */
export const BUCKETS = 65_536;
/** Letters of the parts of a word that are features of their own: they tell spellings of one word alike. */
const PARTS = { from: 3, to: 4 } as const;
/** Letters of a word that are taken apart. */
const WORD_LENGTH = 40;
/** What a text has or has not; a figure apart, for they are few. */
const SHAPE = 0.3;
const MARK = /^[A-Z.]+$/;

/** One feature of a text: the bucket of the model, and how much of the text it is. */
export interface Feature {
  bucket: number;
  value: number;
}

/**
 * What a word model sees of a text: its words in one spelling of many, each with the word before, the parts of its words,
 * and a few marks of its shape. Words, pairs and parts have length 1 each as vectors, so that long texts count as short ones
 * do. Linear in the length of the text; the same for the same text.
 * @param text what `tokens` were taken from.
 */
export function featuresOf(text: string, tokens: readonly Token[]): Feature[] {
  const words = tokens.map(({ plain }) => foldedFor('hi-Latn', plain));
  const plain = new Set(tokens.map((token) => token.plain).filter((word) => !MARK.test(word)));
  return [
    ...vector(words.filter((word) => word !== '.').map((word) => `w:${word}`)),
    ...vector(words.map((word, i) => `b:${words[i - 1] ?? '^'} ${word}`)),
    ...vector([...plain].flatMap(partsOf)),
    ...shapeOf(text, words).map((name) => ({ bucket: bucketOf(`s:${name}`), value: SHAPE })),
  ];
}

function vector(names: string[]): Feature[] {
  const distinct = [...new Set(names)];
  return distinct.map((name) => ({ bucket: bucketOf(name), value: 1 / Math.sqrt(distinct.length) }));
}

function partsOf(word: string): string[] {
  const ended = `<${word.slice(0, WORD_LENGTH)}>`;
  const parts: string[] = [];
  for (let length: number = PARTS.from; length <= PARTS.to; length += 1)
    for (let i = 0; i + length <= ended.length; i += 1) parts.push(`c:${ended.slice(i, i + length)}`);
  return parts;
}

function shapeOf(text: string, words: readonly string[]): string[] {
  const marks = new Set(words.filter((word) => MARK.test(word) && word !== '.'));
  return [
    ...marks,
    ...(/(?<![x*•])[x*•]{2,}\s?-?\d{2,6}/i.test(text) ? ['masked'] : []),
    ...(/(?<!\d)\d{4,8}(?!\d)/.test(text) ? ['code'] : []),
    ...(text.includes('?') ? ['asks'] : []),
    ...(text.includes('!') ? ['exclaims'] : []),
    `length ${Math.min(6, Math.floor(Math.log2(1 + words.length)))}`,
  ];
}

// FNV-1a, and a finish that spreads the low bits.
function bucketOf(name: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}
