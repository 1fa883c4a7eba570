import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { base64 } from '@scure/base';
import { partRead } from '../text-signals/read-text-signals.js';
import { textTokens } from '../text-signals/tokens.js';
import type { MessageModelData } from '../text-signals/message-model-file.js';
import { BUCKETS, textFeatures, type Feature } from '../text-signals/message-model.js';

/** A text that the message model learns from. */
export interface Lesson {
  id: string;
  text: string;
  language: string;
  isScam: boolean;
  /** Weight of the lesson. Known patterns are descriptions, not received messages, and weigh less. */
  share: number;
}

/** Training data: our own lessons, which are in the repository, and received messages, which are not. */
export interface Lessons {
  own: Lesson[];
  received: Lesson[];
  /** SHA-256 of each file by name. */
  files: Record<string, string>;
}

/** The labelled sets that it is trained on; a set kept for measuring is none of them. */
const SETS = ['messages', 'seen', 'development', 'this-year'] as const;
const PATTERNS = 'scam-patterns.json';
/** Messages of the folder of training data. */
const RECEIVED = 'sms-phishing/messages.jsonl';
const LANGUAGES = new Set(['en', 'hi', 'hi-Latn']);
const PATTERN_SHARE = 0.3;
/**
 * Nine of ten received messages are harmless. Each of them weighs less, so that both sides are about equal.
 */
const HARMLESS_SHARE = 0.2;
/** Strength of the fit, chosen by cross-validation: the bound of what one lesson can move. */
const BOUND = 10;
const ROUNDS = 40;
const ENOUGH = 1e-4;

/**
 * Everything that the model is trained on.
 * @param samples the folder `samples`.
 * @param training the folder of training data, which has messages that may not be passed on; absent: only our own ones.
 */
export function readLessons(samples: URL, training?: URL): Lessons {
  const files: Record<string, string> = {};
  const read = (name: string, folder: URL): string => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    files[name] = createHash('sha256').update(text).digest('hex');
    return text;
  };
  const own = SETS.flatMap((set) =>
    linesOf<Omit<Lesson, 'share'>>(read(`eval/${set}.jsonl`, samples)).map((line) => ({ ...line, share: 1 })),
  );
  const patterns = JSON.parse(read(PATTERNS, samples)) as { id: string; texts: Record<string, string> }[];
  const labelled = patterns.flatMap(({ id, texts }) =>
    Object.entries(texts).map(([language, text]) => ({
      id: `${id}.${language}`,
      text,
      language,
      isScam: true,
      share: PATTERN_SHARE,
    })),
  );
  const isThere = training !== undefined && existsSync(new URL(RECEIVED, training));
  return {
    own: [...own, ...labelled].filter(({ language }) => LANGUAGES.has(language)),
    received: isThere ? receivedOf(read(RECEIVED, training)) : [],
    files,
  };
}

// Advertising is neither a scam nor harmless, so nothing is learned from it.
function receivedOf(text: string): Lesson[] {
  return linesOf<{ text: string; label: string }>(text).flatMap(({ text, label }, i) =>
    label === 'spam'
      ? []
      : [
          {
            id: `received-${i + 1}`,
            text,
            language: 'en',
            isScam: label === 'smishing',
            share: label === 'ham' ? HARMLESS_SHARE : 1,
          },
        ],
  );
}

function linesOf<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The features of a text as the reader of texts takes them. */
export function featuresOfText(source: string): Feature[] {
  const text = partRead(source);
  return textFeatures(text, textTokens(text));
}

/** Weight of received messages relative to our own sets, by cross-validation. */
const RECEIVED_WEIGHT = 0.37;

/**
 * Trains the message model: the same lessons give the same model. It is the sum of two fits, which is linear again. One
 * fit over both would unlearn soft stories, for received harmless messages are many, short and in words of friends.
 * Received messages are of one style and nearly all harmless, so the second fit calls most others harmless too: it is
 * moved until the median of our own lessons is 0.
 */
export function trainMessageModel({ own, received, files }: Lessons): MessageModelData {
  const ours = fitOf(own);
  const theirs = received.length === 0 ? null : fitOf(received);
  const moved = theirs === null ? 0 : -medianOf(own.map(({ text }) => sumOf(theirs, featuresOfText(text))));
  const weights = ours.weights.map(
    (weight, bucket) => weight + RECEIVED_WEIGHT * (theirs?.weights[bucket] ?? 0),
  );
  const bias = ours.bias + RECEIVED_WEIGHT * ((theirs?.bias ?? 0) + moved);
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  return {
    trainedOn: files,
    step: Number(step.toPrecision(6)),
    bias: Number(bias.toPrecision(6)),
    weights: base64.encode(Uint8Array.from(weights, (weight) => Math.round(weight / step) & 255)),
  };
}

interface Fit {
  weights: Float64Array;
  bias: number;
}

/** The fit of one source, with its weights for features that are not yet multiplied by how rare they are. */
function fitOf(lessons: readonly Lesson[]): Fit {
  const rows = lessons.map(({ text }) => featuresOfText(text));
  const rarity = rarityOf(rows);
  const features = rows.map((all) =>
    all.map(({ bucket, value }) => ({ bucket, value: value * (rarity[bucket] ?? 0) })),
  );
  const { weights, bias } = fit(features, lessons);
  return { weights: weights.map((weight, bucket) => weight * (rarity[bucket] ?? 0)), bias };
}

function sumOf({ weights, bias }: Fit, features: readonly Feature[]): number {
  return features.reduce((sum, { bucket, value }) => sum + value * (weights[bucket] ?? 0), bias);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The logarithm of how rare a bucket is among texts: what all texts have says nothing. */
function rarityOf(rows: readonly Feature[][]): Float64Array {
  const texts = new Float64Array(BUCKETS);
  for (const features of rows)
    for (const bucket of new Set(features.map((one) => one.bucket))) texts[bucket] = (texts[bucket] ?? 0) + 1;
  return texts.map((count) => (count === 0 ? 0 : Math.log(rows.length / count)));
}

/**
 * Logistic regression with a squared penalty, by dual coordinate descent (Yu, Huang and Lin, 2011): each lesson in turn,
 * in an order drawn from a seed, moves the weights to where its own part of the dual is least.
 */
function fit(features: readonly Feature[][], lessons: readonly Lesson[]): Fit {
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

/**
 * Minimises `square/2 (z - dual)^2 + slope (z - dual) + z log z + (bound - z) log(bound - z)` by Newton's
 * method.
 */
function leastOf(dual: number, dimensions: { bound: number; square: number; slope: number }): number {
  const { bound, square, slope } = dimensions;
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
