import { find } from '../entities/links.js';
import { CasefileError, type ReasonCode } from '@casefile/contracts';
import type { getLIDModel } from 'fasttext.wasm.js';
import { withoutDisguises } from './without-disguises.js';
import table from './romanised-hindi.json' with { type: 'json' };

export const UNDETERMINED = 'und';
/** UTF-16 units that are examined: more would not improve the result, and a message may be very long. */
const EXAMINED = 2_000;
/** Smallest share of letters in a script that indicates a language; less is a name or a brand. */
const LEAST_SHARE = 0.1;

/** The detected language of a text. */
export interface DetectedLanguage {
  /** BCP 47; `hi-Latn` is Hindi in Latin letters, `und` means undetermined. */
  code: string;
  /** From 0 to 1. */
  certainty: number;
  /** Weight of each detected language, 0..1; together at most 1. */
  weights: Record<string, number>;
}

/**
 * Detects the language of a text: by script if only one language uses it, by function words for romanised
 * Hindi, else by a statistical identifier. Parts of a text in different scripts are identified separately.
 */
export async function detectLanguage(
  text: string,
  identify: Identify = fastTextIdentify,
): Promise<DetectedLanguage> {
  const parts = scriptParts(textWords(text)).filter((part) => part.share >= LEAST_SHARE);
  const weights: Record<string, number> = {};
  for (const part of parts) {
    const { language, probability } = await scriptPartLanguage(part, parts, identify);
    weights[language] = (weights[language] ?? 0) + part.share * probability;
  }
  const [best] = Object.entries(weights).sort(([, a], [, b]) => b - a);
  if (best === undefined) return { code: UNDETERMINED, certainty: 0, weights };
  return { code: best[0], certainty: Math.min(1, best[1]), weights };
}

// URLs, e-mail addresses, numbers and signs belong to no language.
function textWords(text: string): string {
  const head = withoutDisguises(text).text.slice(0, EXAMINED);
  const links = find(head).toSorted((a, b) => b.start - a.start);
  return links.reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, head);
}

async function scriptPartLanguage(
  part: ScriptPart,
  parts: ScriptPart[],
  identify: Identify,
): Promise<{ language: string; probability: number }> {
  if (part.language !== null) return { language: part.language, probability: 1 };
  // Japanese is also written in Han; without any kana it is identified as Chinese.
  if (part.script === 'Han')
    return { language: parts.some((other) => other.language === 'ja') ? 'ja' : 'zh', probability: 1 };
  if (part.script === 'Latin') {
    const certainty = romanisedHindi(part.text);
    if (certainty > 0) return { language: 'hi-Latn', probability: certainty };
  }
  return identify(part.text.toLowerCase());
}

/** Result of an identifier: language (BCP 47) and probability, 0..1. */
interface LanguageGuess {
  language: string;
  probability: number;
}

/** Identifies the language of words; deterministic. */
export type Identify = (words: string) => Promise<LanguageGuess>;

type Model = ReturnType<typeof getLIDModel> extends Promise<infer M> ? M : never;

/**
 * Identifier with fastText's lid.176, in this process and offline. The model is loaded once, at the first
 * call.
 * @param modelUrl Default: the model in the package.
 * @throws CasefileError `no_identifier` if it cannot be loaded (the next call tries again);
 * `identifier_failed`.
 */
export function fastTextIdentifier(modelUrl?: URL): Identify {
  let loading: Promise<Model> | null = null;
  const model = () =>
    (loading ??= loadedModelUrl(modelUrl).catch((cause: unknown) => {
      loading = null;
      throw failure('no_identifier', 'the language identifier cannot be loaded', cause);
    }));
  return async (words) => {
    const identifier = await model();
    try {
      const identified = await identifier.identify(words);
      return {
        language: identified.alpha2 ?? identified.alpha3,
        probability: Math.min(1, identified.possibility),
      };
    } catch (cause) {
      throw failure('identifier_failed', 'the language identifier failed over a text', cause);
    }
  };
}

/** One for the whole process: its model takes a megabyte. */
const fastTextIdentify = fastTextIdentifier();

async function loadedModelUrl(modelUrl: URL | undefined): Promise<Model> {
  const identifier = await import('fasttext.wasm.js');
  const model = await identifier.getLIDModel(modelUrl === undefined ? {} : { modelPath: modelUrl.href });
  await model.load();
  return model;
}

function failure(reasonCode: ReasonCode, message: string, cause: unknown): CasefileError {
  return new CasefileError(reasonCode, message, { cause, retryable: true });
}

/** Scripts of a single language, and scripts that several languages share (null: the identifier decides). */
const SCRIPTS: readonly [script: string, language: string | null][] = [
  ['Latin', null],
  ['Devanagari', null],
  ['Arabic', null],
  ['Cyrillic', null],
  ['Bengali', null],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Gujarati', 'gu'],
  ['Gurmukhi', 'pa'],
  ['Oriya', 'or'],
  ['Sinhala', 'si'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Georgian', 'ka'],
  ['Armenian', 'hy'],
  ['Hebrew', 'he'],
  ['Greek', 'el'],
  ['Ethiopic', 'am'],
  ['Hangul', 'ko'],
  ['Hiragana', 'ja'],
  ['Katakana', 'ja'],
  ['Han', null],
];
const PATTERNS = SCRIPTS.map(([name, language]) => ({
  name,
  language,
  letters: new RegExp(`[\\p{Script=${name}}\\p{M}]+`, 'gu'),
  first: new RegExp(`\\p{Script=${name}}`, 'u'),
}));

/** The part of a text that is written in one script. */
interface ScriptPart {
  script: string;
  /** The only language of this script; null: several languages share it. */
  language: string | null;
  /** Its words, with blanks between them. */
  text: string;
  /** Share of all letters of the text, 0..1. */
  share: number;
}

/** The scripts of a text, the most used first. A text without letters has none. */
function scriptParts(text: string): ScriptPart[] {
  const matches = PATTERNS.flatMap(({ name, language, letters, first }) => {
    if (!first.test(text)) return [];
    const words = (text.match(letters) ?? []).filter((word) => first.test(word));
    return [{ script: name, language, text: words.join(' '), letters: lettersIn(words) }];
  });
  const all = matches.reduce((sum, part) => sum + part.letters, 0);
  return matches
    .map(({ letters, ...part }) => ({ ...part, share: letters / all }))
    .sort((a, b) => b.share - a.share);
}

function lettersIn(words: string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/**
 * Function words of Hindi as typed in Latin letters (Urdu in Latin letters shares most of them). Words that
 * other languages also have ("to", "me", "se", "hum", "do") are left out: they would make Spanish or Turkish
 * look like Hindi.
 */
const WORDS = new Set(table.common.split(' '));
/** Words that no other language in Latin letters spells this way, so fewer of them are enough. */
const TELLING = new Set(table.distinctive.split(' '));
/**
 * Share of such words from which a text of some length is Hindi; only a part of its Hindi words is in the
 * lists.
 */
const SHARE = 0.12;

/** Returns the certainty that Latin words are Hindi, 0..1. */
export function romanisedHindi(text: string): number {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  const hindiWords = words.filter((word) => WORDS.has(word));
  const distinct = new Set(hindiWords);
  const telling = [...distinct].some((word) => TELLING.has(word));
  const share = words.length === 0 ? 0 : hindiWords.length / words.length;
  const enough = (distinct.size >= 2 && (telling || share >= 0.3)) || (telling && words.length <= 4);
  if (!enough || share < SHARE) return 0;
  return Math.min(1, 0.5 + share + (telling ? 0.1 : 0));
}
