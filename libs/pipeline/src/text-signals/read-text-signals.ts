import type { ReadTextSignals, TextSignal, TextSignals } from '@casefile/contracts';
import { undisguised } from '../language/undisguised.js';
import { plainText } from '../plain-text.js';
import { constructionsOf, type Construction } from './constructions.js';
import type { LegitimacyKind, SignalKind } from './kinds.js';
import { english } from './lexicon-en.js';
import { hindi } from './lexicon-hi.js';
import { FUNCTION_WORDS, romanisedHindi } from './lexicon-hi-latn.js';
import { linkSignals } from './link-signals.js';
import { foldedFor, tokensOf, type Token } from './tokens.js';

/** UTF-16 units that are read: of the beginning, and of the end where the text is longer. */
const HEAD = 5_000;
const TAIL = 1_500;
/** From this weight on signs are signals; below it they are notes. */
export const COUNTS_FROM = 1;
/** What speaks for a sender takes at most so much off: a true notice can be copied. */
const MOST_FOR_SENDER = 3;
/** Parts of the text that are shown of one kind, and how long each. */
const PARTS = 3;
const PART_LENGTH = 80;

interface Mark<K extends string> {
  kind: K;
  weight: number;
  words: string;
  language: string;
}

const LEXICONS = [english, hindi, romanisedHindi].map((lexicon) => ({
  language: lexicon.language,
  signals: constructionsOf<SignalKind>(lexicon, lexicon.signals),
  legitimacy: constructionsOf<LegitimacyKind>(lexicon, lexicon.legitimacy),
}));
const FUNCTION_WORD = new Set(FUNCTION_WORDS);

/** Reads a text by the lexicons of English, Hindi and romanised Hindi, and its links. S1-16. */
export const readTextSignals: ReadTextSignals = (given) => {
  const text = undisguised(readPart(plainText(given))).text;
  const tokens = tokensOf(text);
  const isRomanised =
    new Set(tokens.map(({ plain }) => plain).filter((word) => FUNCTION_WORD.has(word))).size >= 2;
  const links = linkSignals(text);
  const signs: Mark<SignalKind>[] = [...links.signals];
  const fors: Mark<LegitimacyKind>[] = [...links.legitimacy];
  for (const { language, signals, legitimacy } of LEXICONS) {
    if (language === 'hi-Latn' && !isRomanised) continue;
    const said = new Said(text, tokens, language);
    signs.push(...signals.flatMap((one) => said.marks(one)));
    fors.push(...legitimacy.flatMap((one) => said.marks(one)));
  }
  return weighed(signs, fors);
};

function readPart(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

function weighed(signs: Mark<SignalKind>[], fors: Mark<LegitimacyKind>[]): TextSignals {
  const weight = weightOf(signs) - Math.min(MOST_FOR_SENDER, weightOf(fors));
  const found = byKind(signs);
  const counts = weight >= COUNTS_FROM;
  return {
    signals: counts ? found : [],
    notes: counts ? [] : found,
    legitimacy: byKind(fors),
    weight: Math.max(0, weight),
  };
}

// Of a kind the heaviest mark counts: the same said twice is not two signs.
function weightOf(marks: Mark<string>[]): number {
  const heaviest = new Map<string, number>();
  for (const { kind, weight } of marks) heaviest.set(kind, Math.max(weight, heaviest.get(kind) ?? 0));
  return [...heaviest.values()].reduce((sum, weight) => sum + weight, 0);
}

function byKind(marks: Mark<string>[]): TextSignal[] {
  const kinds = new Map<string, TextSignal>();
  for (const { kind, words, language } of marks.toSorted((a, b) => b.weight - a.weight)) {
    const signal = kinds.get(kind) ?? { kind, words: [], language };
    if (signal.words.length < PARTS && !signal.words.includes(words)) signal.words.push(words);
    kinds.set(kind, signal);
  }
  return [...kinds.values()];
}

/** The tokens of a text in one string, as the constructions of one language are looked for. */
class Said {
  private readonly line: string;
  private readonly starts: number[] = [];

  constructor(
    private readonly text: string,
    private readonly tokens: Token[],
    private readonly language: string,
  ) {
    let line = ' ';
    for (const { plain } of tokens) {
      this.starts.push(line.length);
      line += `${foldedFor(language, plain)} `;
    }
    this.line = line;
  }

  marks<K extends string>({ kind, weight, pattern }: Construction<K>): Mark<K>[] {
    const match = pattern.exec(this.line);
    if (match === null) return [];
    const first = this.starts.findIndex((start) => start >= match.index);
    const last = this.starts.findLastIndex((start) => start < match.index + match[0].length);
    const words = this.text.slice(this.tokens[first]?.start, this.tokens[last]?.end);
    return [
      { kind, weight, words: words.replace(/\s+/g, ' ').slice(0, PART_LENGTH), language: this.language },
    ];
  }
}
