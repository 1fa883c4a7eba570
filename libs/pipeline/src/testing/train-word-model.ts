import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { base64 } from '@scure/base';
import { partRead } from '../text-signals/read-text-signals.js';
import { tokensOf } from '../text-signals/tokens.js';
import { BUCKETS, featuresOf, type Feature, type WordModelData } from '../text-signals/word-model.js';

/** A text that the word model learns from. */
export interface Lesson {
  id: string;
  text: string;
  language: string;
  isScam: boolean;
  /** How much it counts; known patterns are told, not received, and count less. */
  share: number;
}

/** The labelled sets that it is trained on; a set kept for measuring is none of them. */
const SETS = ['messages', 'seen', 'development'] as const;
const LANGUAGES = new Set(['en', 'hi', 'hi-Latn']);
const PATTERN_SHARE = 0.3;
/** Strength of the fit, chosen by cross-validation: the bound of what one lesson can move. */
const BOUND = 10;
const ROUNDS = 40;
const ENOUGH = 1e-4;

/** Everything that the word model is trained on. @param samples the folder `samples`. */
export function readLessons(samples: URL): Lesson[] {
  const messages = SETS.flatMap((set) =>
    readFileSync(new URL(`eval/${set}.jsonl`, samples), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ ...(JSON.parse(line) as Omit<Lesson, 'share'>), share: 1 })),
  );
  const patterns = JSON.parse(readFileSync(new URL('scam-patterns.json', samples), 'utf8')) as {
    id: string;
    texts: Record<string, string>;
  }[];
  return [
    ...messages,
    ...patterns.flatMap(({ id, texts }) =>
      Object.entries(texts).map(([language, text]) => ({
        id: `${id}.${language}`,
        text,
        language,
        isScam: true,
        share: PATTERN_SHARE,
      })),
    ),
  ].filter(({ language }) => LANGUAGES.has(language));
}

/** The features of a text as the reader of texts takes them. */
export function featuresOfText(given: string): Feature[] {
  const text = partRead(given);
  return featuresOf(text, tokensOf(text));
}

/** Trains the word model: the same lessons give the same model. */
export function trainWordModel(lessons: readonly Lesson[]): WordModelData {
  const told = lessons.map(({ text }) => featuresOfText(text));
  const rarity = rarityOf(told);
  const features = told.map((all) =>
    all.map(({ bucket, value }) => ({ bucket, value: value * (rarity[bucket] ?? 0) })),
  );
  const { weights, bias } = fit(features, lessons);
  const scaled = weights.map((weight, bucket) => weight * (rarity[bucket] ?? 0));
  const step = scaled.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Uint8Array.from(scaled, (weight) => Math.round(weight / step) & 255);
  const hash = createHash('sha256').update(
    JSON.stringify(lessons.map(({ text, isScam, share }) => [text, isScam, share])),
  );
  return {
    trainedOn: hash.digest('hex'),
    step: Number(step.toPrecision(6)),
    bias: Number(bias.toPrecision(6)),
    weights: base64.encode(bytes),
  };
}

/** The logarithm of how rare a bucket is among texts: what all texts have says nothing. */
function rarityOf(told: readonly Feature[][]): Float64Array {
  const texts = new Float64Array(BUCKETS);
  for (const features of told)
    for (const bucket of new Set(features.map((one) => one.bucket))) texts[bucket] = (texts[bucket] ?? 0) + 1;
  return texts.map((count) => (count === 0 ? 0 : Math.log(told.length / count)));
}

/**
 * Logistic regression with a squared penalty, by dual coordinate descent (Yu, Huang and Lin, 2011): each lesson in turn,
 * in an order drawn from a seed, moves the weights to where its own part of the dual is least.
 */
function fit(features: readonly Feature[][], lessons: readonly Lesson[]) {
  const weights = new Float64Array(BUCKETS);
  let bias = 0;
  const sides = lessons.map(({ isScam }) => (isScam ? 1 : -1));
  const bounds = lessons.map(({ share }) => BOUND * share);
  const squares = features.map((all) => all.reduce((sum, { value }) => sum + value * value, 1));
  const duals = bounds.map((bound) => bound * 1e-3);
  const move = (i: number, by: number) => {
    for (const { bucket, value } of features[i] ?? []) weights[bucket] = (weights[bucket] ?? 0) + by * value;
    bias += by;
  };
  duals.forEach((dual, i) => move(i, dual * (sides[i] ?? 0)));
  const random = seeded(12_345);
  const order = lessons.map((_, i) => i);
  for (let round = 0, most = 1; round < ROUNDS && most > ENOUGH * BOUND; round += 1) {
    most = 0;
    shuffle(order, random);
    for (const i of order) {
      const [side = 0, bound = 0, square = 1, dual = 0] = [sides[i], bounds[i], squares[i], duals[i]];
      const sum = (features[i] ?? []).reduce(
        (all, { bucket, value }) => all + value * (weights[bucket] ?? 0),
        bias,
      );
      const next = leastOf(dual, { bound, square, slope: side * sum });
      most = Math.max(most, Math.abs(next - dual));
      duals[i] = next;
      move(i, (next - dual) * side);
    }
  }
  return { weights, bias };
}

/** Where `square/2 (z - dual)^2 + slope (z - dual) + z log z + (bound - z) log(bound - z)` is least, by Newton's steps. */
function leastOf(dual: number, given: { bound: number; square: number; slope: number }): number {
  const { bound, square, slope } = given;
  let z = dual;
  for (let i = 0; i < 20; i += 1) {
    const first = square * (z - dual) + slope + Math.log(z / (bound - z));
    const next = z - first / (square + bound / (z * (bound - z)));
    const inside = next <= 0 ? z / 10 : next >= bound ? bound - (bound - z) / 10 : next;
    if (Math.abs(inside - z) < 1e-10 * bound) return inside;
    z = inside;
  }
  return z;
}

function shuffle(order: number[], random: () => number): void {
  for (let last = order.length - 1; last > 0; last -= 1) {
    const drawn = Math.floor(random() * (last + 1));
    [order[last], order[drawn]] = [order[drawn] ?? 0, order[last] ?? 0];
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
}
