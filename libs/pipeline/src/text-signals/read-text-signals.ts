import type { ReadTextSignals, TextSignal, TextSignals } from '@casefile/contracts';
import { romanisedHindi as telltaleHindi } from '../language/romanised-hindi.js';
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
/** From this weight on signs are signals, which one weak sign is; outweighed ones are notes. */
export const COUNTS_FROM = 0.5;
/** What speaks for a sender takes at most so much off: a true notice can be copied. */
const MOST_FOR_SENDER = 4;
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
  return { ...weighed(signs, fors), isRead: isReadable(tokens) };
};

/** Words that hardly a sentence of the three languages is without, but for those that Spanish, Portuguese or Malay have. */
const OTHERS_TOO = new Set('me se a ya ka ki ko pe h ha lo mat ek do be wo bas din to'.split(' '));
const COMMON = new Set(
  [
    ...FUNCTION_WORDS,
    ...'the is are you your for of and it we i my at with this that have has not can from our by as please he she they his her what why who did but all one out on if us just'.split(
      ' ',
    ),
    ...'है हैं का की के को में से और हो था थे थी पर कर ने यह ये वह आप आपका आपके आपकी मैं मेरा मेरे हम तो भी नहीं ही रहा रही रहे गया गई करें लिए कि जी'.split(
      ' ',
    ),
  ].filter((word) => !OTHERS_TOO.has(word)),
);
/** Share of such words from which a text is in one of them, and words below which a text is too short to tell. */
const COMMON_SHARE = 0.08;
const FEW_WORDS = 4;

function isReadable(tokens: Token[]): boolean {
  const words = tokens.filter(({ plain }) => /^\p{L}/u.test(plain) && plain === plain.toLowerCase());
  if (words.length < FEW_WORDS)
    return words.every(({ plain }) => /^[\p{Script=Latin}\p{Script=Devanagari}]/u.test(plain));
  const said = words.map(({ plain }) => plain);
  if (telltaleHindi(said.join(' ')) > 0) return true;
  return said.filter((word) => COMMON.has(word)).length / said.length >= COMMON_SHARE;
}

function readPart(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

/** Kinds that every sender of notices and offers has: by themselves they are no sign. */
const BESIDE_OTHERS = new Set<SignalKind>(['deadline', 'urges_click', 'prize']);

function weighed(all: Mark<SignalKind>[], fors: Mark<LegitimacyKind>[]): Omit<TextSignals, 'isRead'> {
  // What a text is about is a sign only where it has no better one.
  const better = all.filter(({ kind }) => kind !== 'topic');
  const telling = better.filter(({ kind, weight }) => weight >= 1 || !BESIDE_OTHERS.has(kind));
  const signs = telling.length > 0 ? better : all;
  const weight = weightOf(signs) - Math.min(MOST_FOR_SENDER, weightOf(fors));
  const found = byKind(signs);
  const isAlone = signs.every(({ kind, weight: own }) => own < 1 && BESIDE_OTHERS.has(kind));
  const counts = weight >= COUNTS_FROM && !isAlone;
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

const REQUESTS = new Set<string>(['asks_secret', 'asks_documents', 'asks_money', 'install']);
const NEGATIONS = new Set('never not dont wont cannot na mat nahi nahin nhi kabhi न ना मत नहीं'.split(' '));

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
    if (this.isRefused(kind, first, last)) return [];
    const words = this.text.slice(this.tokens[first]?.start, this.tokens[last]?.end);
    return [
      { kind, weight, words: words.replace(/\s+/g, ' ').slice(0, PART_LENGTH), language: this.language },
    ];
  }

  // "Never share this code" asks for no code: what is told not to be done is not asked for.
  private isRefused(kind: string, first: number, last: number): boolean {
    if (!REQUESTS.has(kind)) return false;
    // English says so before the verb that a match begins with, Hindi within.
    const from = this.language === 'en' ? first - 1 : first;
    const to = this.language === 'en' ? first : last + 1;
    return this.tokens.slice(Math.max(0, from), to).some(({ plain }) => NEGATIONS.has(plain));
  }
}
