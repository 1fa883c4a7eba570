import { find } from 'linkifyjs';
import { fastTextIdentify, type Identify } from './identifier.js';
import { romanisedHindi } from './romanised-hindi.js';
import { scriptParts, type ScriptPart } from './scripts.js';
import { undisguised } from './undisguised.js';

export const UNDETERMINED = 'und';
/** UTF-16 units that are looked at: more would tell no more, and a message may be very long. */
const LOOKED_AT = 2_000;
/** A script with a smaller part of the letters says nothing about the language: a name, a brand. */
const LEAST_SHARE = 0.1;

/** The language of a text, as far as it can be told. */
export interface Detected {
  /** BCP 47; `hi-Latn` is Hindi in Latin letters, `und` says that nothing could be told. */
  code: string;
  /** 0..1. */
  certainty: number;
  /** What each language that was found weighs, 0..1 each; together at most 1. */
  weights: Record<string, number>;
}

/**
 * Tells the language of a text: by its script where one language has it, by function words for romanised Hindi, else
 * by a statistical identifier. A text in several scripts is told part by part. S3-01.
 */
export async function detectLanguage(text: string, identify: Identify = fastTextIdentify): Promise<Detected> {
  const parts = scriptParts(wordsOf(text)).filter((part) => part.share >= LEAST_SHARE);
  const weights: Record<string, number> = {};
  for (const part of parts) {
    const { language, probability } = await languageOf(part, parts, identify);
    weights[language] = (weights[language] ?? 0) + part.share * probability;
  }
  const [best] = Object.entries(weights).sort(([, a], [, b]) => b - a);
  if (best === undefined) return { code: UNDETERMINED, certainty: 0, weights };
  return { code: best[0], certainty: Math.min(1, best[1]), weights };
}

// Addresses, numbers and signs are in no language.
function wordsOf(text: string): string {
  const head = undisguised(text).text.slice(0, LOOKED_AT);
  const links = find(head).toSorted((a, b) => b.start - a.start);
  return links.reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, head);
}

async function languageOf(
  part: ScriptPart,
  parts: ScriptPart[],
  identify: Identify,
): Promise<{ language: string; probability: number }> {
  if (part.language !== null) return { language: part.language, probability: 1 };
  // Japanese is written in Han as well; without any kana it is taken for Chinese.
  if (part.script === 'Han')
    return { language: parts.some((other) => other.language === 'ja') ? 'ja' : 'zh', probability: 1 };
  if (part.script === 'Latin') {
    const certainty = romanisedHindi(part.text);
    if (certainty > 0) return { language: 'hi-Latn', probability: certainty };
  }
  return identify(part.text.toLowerCase());
}
