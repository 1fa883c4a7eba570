import { base64 } from '@scure/base';
import type { MessageModelReading } from '@casefile/contracts';
import { withDigitsForMasks } from '../entities/links.js';
import { isReadable } from './is-readable.js';
import { type Token, foldedFor } from './tokens.js';
import type { MessageModelData } from './message-model-file.js';
import { MESSAGE_MODEL } from './message-model-data.js';

/**
 * Numbers of words below which a text is too short to compare, and above which it is not a message. Of the
 * messages learned from, 99 % have at most 56.
 */
const LEAST_WORDS = 3;
const MOST_WORDS = 120;
const IS_WORD = /^[\p{Ll}\p{Lo}]/u;
/** Number of words that a reading names, and maximum characters of each. */
const NAMED = 4;
const NAMED_LENGTH = 40;

/** Reads a message with the model of this release. */
export const readByModel = messageModel(MESSAGE_MODEL);

/**
 * Returns how similar a message is to known scams compared with harmless messages, from 0 to 1 in hundredths
 * (0.5: equally similar to both), with the words that weighed most on that side. null: too few or too many
 * words (mails and articles have another style), or a language that the model has not learned. Takes time
 * linear in the length of the text, which is limited.
 */
export function messageModel({ step, bias, weights: encoded }: MessageModelData) {
  const bytes = new Int8Array(base64.decode(encoded).buffer);
  const weightOf = (name: string) => (bytes[nameBucket(name)] ?? 0) * step;
  return (
    text: string,
    tokens: readonly Token[],
    isRead = isReadable(tokens),
  ): MessageModelReading | null => {
    const words = tokens.filter(({ plain }) => IS_WORD.test(plain)).length;
    if (words < LEAST_WORDS || words > MOST_WORDS || !isRead) return null;
    const seen = namesIn(text, tokens);
    const sum = bias + nameGroups(seen).reduce((all, group) => all + featureGroupSum(group, weightOf), 0);
    return {
      score: Math.round(100 / (1 + Math.exp(-sum))) / 100,
      words: heaviest(text, tokens, seen, { weightOf, side: sum < 0 ? -1 : 1 }),
    };
  };
}

/** Number of buckets for features, by their hash. Two features may share a bucket. */
export const BUCKETS = 65_536;
/** Lengths of word parts that count as separate features, so that spellings of one word are similar. */
const PARTS = { from: 3, to: 4 } as const;
/** Maximum number of letters of a word that is split into parts. */
const WORD_LENGTH = 40;
/** Weight of a shape feature, such as having a figure. It is low, because there are few such features. */
const SHAPE = 0.3;
const MARK = /^[A-Z.]+$/;

/** One feature of a text: its bucket in the model and its share of the text. */
export interface Feature {
  bucket: number;
  value: number;
}

/**
 * Features of a text by name. Each group has a total length of 1 as a vector, so that long and short texts
 * count equally.
 */
interface Names {
  /** Tokens, each in a unified spelling. */
  folded: string[];
  words: string[];
  /** Pairs of a word and the word before it. */
  pairs: string[];
  /** Parts of each different word. */
  parts: Map<string, string[]>;
  shape: string[];
}
interface FeatureGroup {
  names: readonly string[];
  value: number;
}

/**
 * Returns the features of a text: its words in unified spelling, pairs of words, parts of words, and a few
 * marks of its shape. Linear in the length of the text and deterministic.
 * @param text text from which `tokens` were made
 */
export function textFeatures(text: string, tokens: readonly Token[]): Feature[] {
  return nameGroups(namesIn(text, tokens)).flatMap(({ names, value }) =>
    names.map((name) => ({ bucket: nameBucket(name), value })),
  );
}

function namesIn(text: string, tokens: readonly Token[]): Names {
  const folded = tokens.map(({ plain }) => foldedFor('hi-Latn', plain));
  const plain = new Set(tokens.map((token) => token.plain).filter((word) => !MARK.test(word)));
  return {
    folded,
    words: distinct(folded.filter((word) => word !== '.').map(wordName)),
    pairs: distinct(folded.map((word, i) => pairName(folded[i - 1], word))),
    parts: new Map([...plain].map((word) => [word, wordParts(word)])),
    shape: textShape(text, folded).map((name) => `s:${name}`),
  };
}

function nameGroups({ words, pairs, parts, shape }: Names): FeatureGroup[] {
  return [
    ...[words, pairs, distinct([...parts.values()].flat())].map((names) => ({
      names,
      value: 1 / Math.sqrt(names.length),
    })),
    { names: shape, value: SHAPE },
  ];
}

function featureGroupSum({ names, value }: FeatureGroup, weightOf: (name: string) => number): number {
  return names.reduce((sum, name) => sum + value * weightOf(name), 0);
}

/**
 * Returns the different words of a text that weigh most on one side, as written. Each word of a pair gets
 * half of its weight.
 */
function heaviest(
  text: string,
  tokens: readonly Token[],
  seen: Names,
  { weightOf, side }: { weightOf: (name: string) => number; side: 1 | -1 },
): string[] {
  const { folded, parts } = seen;
  const [words, pairs, ofParts] = nameGroups(seen);
  const features = new Map<string, { weight: number; shown: string }>();
  tokens.forEach(({ plain, start, end }, i) => {
    const word = folded[i] ?? '';
    if (plain === '.' || features.has(word)) return;
    const weight =
      (words?.value ?? 0) * weightOf(wordName(word)) +
      ((pairs?.value ?? 0) / 2) *
        (weightOf(pairName(folded[i - 1], word)) + weightOf(pairName(word, folded[i + 1] ?? '.'))) +
      featureGroupSum({ names: parts.get(plain) ?? [], value: ofParts?.value ?? 0 }, weightOf);
    features.set(word, {
      weight: weight * side,
      shown: text.slice(start, Math.min(end, start + NAMED_LENGTH)).trim(),
    });
  });
  return [...features.values()]
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, NAMED)
    .map(({ shown }) => shown);
}

const wordName = (word: string) => `w:${word}`;
const pairName = (before: string | undefined, word: string) => `b:${before ?? '^'} ${word}`;
const distinct = (names: readonly string[]) => [...new Set(names)];

function wordParts(word: string): string[] {
  const ended = `<${word.slice(0, WORD_LENGTH)}>`;
  const parts: string[] = [];
  for (let length: number = PARTS.from; length <= PARTS.to; length += 1)
    for (let i = 0; i + length <= ended.length; i += 1) parts.push(`c:${ended.slice(i, i + length)}`);
  return parts;
}

function textShape(text: string, words: readonly string[]): string[] {
  const marks = new Set(words.filter((word) => MARK.test(word) && word !== '.'));
  return [
    ...marks,
    ...(/(?<![x*•])[x*•]{2,}\s?-?\d{2,6}/i.test(text) ? ['masked'] : []),
    ...(/(?<!\d)\d{4,8}(?!\d)/.test(withDigitsForMasks(text)) ? ['code'] : []),
    ...(text.includes('?') ? ['asks'] : []),
    ...(text.includes('!') ? ['exclaims'] : []),
    `length ${Math.min(6, Math.floor(Math.log2(1 + words.length)))}`,
  ];
}

// FNV-1a, with a final step that spreads the low bits.
function nameBucket(name: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}
