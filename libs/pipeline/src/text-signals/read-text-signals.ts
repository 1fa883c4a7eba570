import type { MessageModelReading, ReadTextSignals, TextSignal, TextSignals } from '@casefile/contracts';
import { detectLanguage } from '../language/detect-language.js';
import { withoutDisguises } from '../language/without-disguises.js';
import { plainText } from '../plain-text.js';
import { isNegation } from '../reading/index.js';
import { lexiconConstructions, type Construction, linkSignals } from './structural-signals.js';
import { isReadable, isReadBy } from './is-readable.js';
import type { LegitimacyKind, SignalKind } from './kinds.js';
import { english, FUNCTION_WORDS, hindi, romanisedHindi } from './lexicons/index.js';
import { foldedFor, textTokens, type Token } from './tokens.js';
import { readByModel } from './message-model.js';
import {
  numberToDeny,
  requestsNothing,
  readReceiptOrCode,
  type ReceiptOrCode,
  requestLevel,
} from './records.js';

/** Number of UTF-16 units that are read at the beginning and, if the text is longer, at the end. */
const HEAD = 5_000;
const TAIL = 1_500;
/** Total weight from which signs count, equal to one weak sign. Below it they are only notes. */
export const COUNTS_FROM = 0.5;
/** Maximum weight that signs of an honest sender subtract, because a true notice can be copied. */
const MOST_FOR_SENDER = 4;
/** Maximum number of text parts shown per kind, and maximum length of each. */
const PARTS = 3;
const PART_LENGTH = 80;

/** Names of the headers with which the text of a mail begins. They are English in a mail of any language. */
const HEADER_NAME = /^(?:From|Reply-To|Subject):/gmu;

interface Mark<K extends string> {
  kind: K;
  weight: number;
  words: string;
  language: string;
}

const readLexicons = () =>
  [english, hindi, romanisedHindi].map((lexicon) => ({
    language: lexicon.language,
    signals: lexiconConstructions<SignalKind>(lexicon, lexicon.signals),
    legitimacy: lexiconConstructions<LegitimacyKind>(lexicon, lexicon.legitimacy),
  }));
/** Read at the first text: it takes about 50 ms, and most processes never read one. */
let lexicons: ReturnType<typeof readLexicons> | null = null;
const FUNCTION_WORD = new Set(FUNCTION_WORDS);
/** Devanagari, in which the constructions of the Hindi lexicon are written. They also have English words such as "fee". */
const DEVANAGARI = /\p{Script=Devanagari}/u;

/**
 * For each score of the message model, the total weight below which harmless words outweigh the signs. Chosen
 * by cross-validation (decision 0028).
 */
const OUTWEIGHED = [
  { weightBelow: 1, scoreBelow: 0.25 },
  { weightBelow: 2, scoreBelow: 0.12 },
] as const;

/** Kinds of signs that also occur among friends. A text with only these signs has notes instead if its score is below this. */
const SOFT_ALONE = {
  kinds: new Set<string>(['topic', 'emotional']),
  weightBelow: 1,
  scoreBelow: 0.6,
} as const;

/**
 * Reads a text by its words and asks the language detector. A text in another language counts as not read,
 * even if it shares words with the lexicons. Text that is certainly English counts as read, even if its
 * spelling has no common word.
 * @throws CasefileError of `detectLanguage`.
 */
export const readText: ReadTextSignals = async (source) => {
  const text = partRead(source);
  const tokens = textTokens(text);
  const prose = text.replace(HEADER_NAME, '');
  const words = prose === text ? tokens : textTokens(prose);
  return readTokens(text, tokens, isReadBy(words, await detectLanguage(prose)));
};

/** Reads a text by the lexicons of English, Hindi and romanised Hindi, its links, and the message model. */
export const readTextSignals = (source: string): TextSignals => {
  const text = partRead(source);
  const tokens = textTokens(text);
  return readTokens(text, tokens, isReadable(tokens));
};

function readTokens(text: string, tokens: Token[], isRead: boolean): TextSignals {
  return combinedSignals(readByModel(text, tokens, isRead), readByRules(text, tokens, isRead));
}

/**
 * Combines the result of the rules with that of the message model: a few weak signs in harmless words become
 * notes. A stranger's opening of a conversation, and offers, remain signs, because they use everyday words.
 */
export function combinedSignals(
  model: MessageModelReading | null,
  signals: Omit<TextSignals, 'messageModel'>,
): TextSignals {
  const score = model?.score ?? 1;
  const isSoftAlone =
    signals.weight < SOFT_ALONE.weightBelow &&
    score < SOFT_ALONE.scoreBelow &&
    signals.signals.every(({ kind }) => SOFT_ALONE.kinds.has(kind));
  const isOutweighed =
    isSoftAlone ||
    (OUTWEIGHED.some(({ weightBelow, scoreBelow }) => signals.weight < weightBelow && score < scoreBelow) &&
      !signals.signals.some(({ kind }) => IN_EVERYDAY_WORDS.has(kind)));
  if (!isOutweighed) return { ...signals, messageModel: model };
  return { ...signals, signals: [], notes: [...signals.signals, ...signals.notes], messageModel: model };
}

/** Returns the result of lexicons and links. @param text text from which `tokens` were made */
export function readByRules(
  text: string,
  tokens: Token[],
  isRead = isReadable(tokens),
): Omit<TextSignals, 'messageModel'> {
  const isRomanised =
    new Set(tokens.map(({ plain }) => plain).filter((word) => FUNCTION_WORD.has(word))).size >= 2;
  const links = linkSignals(text);
  const found: Mark<SignalKind>[] = [...links.signals];
  const fors: Mark<LegitimacyKind>[] = [...links.legitimacy];
  lexicons ??= readLexicons();
  for (const { language, signals, legitimacy } of lexicons) {
    if (language === 'hi-Latn' && !isRomanised) continue;
    if (language === 'hi' && !DEVANAGARI.test(text)) continue;
    const said = new TokenLine(text, tokens, language);
    found.push(...signals.flatMap((one) => said.marks(one)));
    fors.push(...legitimacy.flatMap((one) => said.marks(one)));
  }
  // Words of other languages may be spelled like an English greeting: "im Anhang".
  const signs = isRead ? found : found.filter(({ kind }) => !IN_EVERYDAY_LANGUAGE.has(kind));
  const record = readReceiptOrCode(text, isRead);
  const words = tokens.map(({ plain }) => plain);
  if (record !== null && requestsNothing(record, text, tokens))
    return { ...weighReceiptOrCode(signs, fors, words, record), isRead: true };
  if (record !== null && (record.form === 'code' || record.facts >= KNOWN_FROM))
    fors.push({ kind: `${record.form}_with_request`, weight: 0, words: '', language: 'und' });
  const weighed = weighMarks(signs, fors, words, requestLevel(text, tokens));
  const number = record?.form === 'receipt' ? numberToDeny(text, tokens) : null;
  if (number === null) return { ...weighed, isRead };
  const note = { kind: 'number_to_deny', words: [number], language: 'und' };
  return { ...weighed, notes: [...weighed.notes, note], isRead };
}

/** Facts of a receipt that requests something, from which it is distinguished from other texts about money. */
const KNOWN_FROM = 2;

/**
 * Weighs a receipt or code that requests nothing: words that receipts and codes have are only notes. Other signs count as in any text, so that
 * a threat or a promise next to it is seen.
 */
function weighReceiptOrCode(
  given: Mark<SignalKind>[],
  found: Mark<LegitimacyKind>[],
  words: readonly string[],
  { form }: ReceiptOrCode,
): Omit<TextSignals, 'isRead' | 'messageModel'> {
  const isNearCode = ({ kind, words: said }: Mark<SignalKind>) =>
    NEAR_CODES.has(kind) || (kind === 'threat' && EXPIRES.test(said));
  const isNamed = (mark: Mark<SignalKind>) =>
    NAMED_IN_NOTICES.has(mark.kind) ||
    IN_RECEIPTS_AND_CODES.has(mark.kind) ||
    (form === 'code' && isNearCode(mark));
  const fors = [...found, { kind: form, weight: 1, words: '', language: 'und' } as const];
  const weighed = weighAgainst(
    given.filter((mark) => !isNamed(mark)),
    fors,
    words,
  );
  const asks = given.some((mark) => ASKING.has(mark.kind) && !isNamed(mark));
  return { ...weighed, notes: [...weighed.notes, ...byKind(given.filter(isNamed))], asks };
}

/** Returns the part of a text that is read, without disguises. */
export function partRead(source: string): string {
  return withoutDisguises(endsOf(plainText(source))).text;
}

function endsOf(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

/** Kinds that every sender of notices and offers uses. Alone they are not a sign. */
const BESIDE_OTHERS = new Set<SignalKind>(['deadline', 'urges_click', 'prize']);

/** Kinds that a plain reason for a first message explains. */
const EXPLAINED = new Set<SignalKind>(['stranger', 'topic', 'hook']);
/** Offers and tricks that everyday talk does not excuse, because scammers use everyday talk. */
const OFFERS = new Set<SignalKind>([
  'account_lure',
  'blackmail',
  'collect_trick',
  'investment',
  'loan',
  'lure',
  'remote_access',
]);
/** Kinds that open a conversation with everyday matters. */
const OPENINGS = new Set<SignalKind>(['stranger', 'superior']);
/** Kinds whose English constructions are made of the commonest words alone. */
const IN_EVERYDAY_LANGUAGE = new Set<SignalKind>(['stranger', 'superior', 'hook', 'emotional']);
const IN_EVERYDAY_WORDS = new Set<string>([...OFFERS, ...OPENINGS]);
const NO_EXCUSE = new Set<LegitimacyKind>(['everyday', 'fact', 'no_charge', 'own_channel', 'plain_reason']);

const FORMAL_WORDS =
  'hello dear greetings madam mam mr mrs dr kindly regards whoever aap aapka aapke aapki aapko aapne apka apke apki apko ap jinke jisne namaste namaskar dijiye kijiye lijiye bataiye bhejiye likhiye kholiye karein dein सर मैडम महोदय नमस्ते नमस्कार प्रिय आप आपका आपके आपकी आपको आपने जिनके जिन्होंने दें दीजिए कीजिए करें लीजिए बताइए लिखिए भेजिए भेजें खोलिए';
/** Words between people who are not close, and words that address the reader in any relation. */
const FORMAL = new Set(FORMAL_WORDS.split(' '));
const ADDRESS = new Set([
  ...FORMAL,
  ...'sir apna apni अपना अपनी you your youre youve yours u ur please those tum tumhara tumhare tumhari bhaiya didi sahab saab दीदी भैया साहब तुम'.split(
    ' ',
  ),
]);

// Police, banks and loans are common topics. If the reader is not addressed, they are not a sign.
function isOnlyNamed({ kind, weight }: Mark<SignalKind>): boolean {
  return weight < 1 && (kind === 'topic' || kind.startsWith('poses_'));
}

/** Kinds that a true notice names too. They request something only together with a verb, a link or a number. */
const NAMED_IN_NOTICES = new Set<SignalKind>([
  'asks_fee',
  'asks_money',
  'deadline',
  'poses_authority',
  'poses_bank',
  'poses_carrier',
  'poses_company',
  'topic',
  'trouble',
]);
/** Kinds whose words receipts and codes have too, if a text requests nothing. */
const IN_RECEIPTS_AND_CODES = new Set<SignalKind>(['urges_click', 'stranger', 'hook']);
/** Kinds whose words stand beside a code: the service that sends it. */
const NEAR_CODES = new Set<SignalKind>(['account_lure', 'asks_secret', 'other_channel']);
/** A code expires soon. That threatens with no loss. */
const EXPIRES = /expir/i;
/** Kinds that are requests by themselves. */
const ASKING = new Set<SignalKind>([
  ...OFFERS,
  'asks_documents',
  'asks_fee',
  'asks_money',
  'asks_secret',
  'hidden_link',
  'hook',
  'install',
  'other_channel',
  'secrecy',
  'suspicious_link',
  'untraceable',
]);

/**
 * Weighs what was found in a text. In a notice of something done that asks for nothing, names of banks, offices
 * and fees are only notes. A way to contact the sender counts as a request unless the text is such a notice.
 */
function weighMarks(
  signs: Mark<SignalKind>[],
  legitimacy: Mark<LegitimacyKind>[],
  words: readonly string[],
  requested: ReturnType<typeof requestLevel>,
): Omit<TextSignals, 'isRead' | 'messageModel'> {
  const isDone = legitimacy.some(({ kind }) => kind === 'states_done');
  const isNamed = ({ kind }: Mark<SignalKind>) => isDone && NAMED_IN_NOTICES.has(kind);
  const isAsking = signs.some((mark) => ASKING.has(mark.kind) && !isNamed(mark));
  const isPlain = isDone && !isAsking && requested === 'none';
  const asks = isAsking || requested === 'act' || (requested === 'contact' && !isDone);
  const fors = isPlain ? legitimacy : legitimacy.filter(({ kind }) => kind !== 'states_done');
  const weighed = weighAgainst(isPlain ? signs.filter((mark) => !isNamed(mark)) : signs, fors, words);
  return {
    ...weighed,
    notes: isPlain ? [...weighed.notes, ...byKind(signs.filter(isNamed))] : weighed.notes,
    asks,
  };
}

function weighAgainst(
  marks: Mark<SignalKind>[],
  fors: Mark<LegitimacyKind>[],
  words: readonly string[],
): Omit<TextSignals, 'asks' | 'isRead' | 'messageModel'> {
  const isAddressed = words.some((word) => ADDRESS.has(word));
  const isFormal = words.some((word) => FORMAL.has(word));
  const isExplained = fors.some(({ kind }) => kind === 'plain_reason');
  const all = marks.filter(
    (mark) => !(isExplained && EXPLAINED.has(mark.kind)) && !(!isAddressed && isOnlyNamed(mark)),
  );
  // The topic of a text counts only if there is no better sign.
  const better = all.filter(({ kind }) => kind !== 'topic');
  const telling = better.filter(({ kind, weight }) => weight >= 1 || !BESIDE_OTHERS.has(kind));
  const signs = telling.length > 0 ? better : all;
  const left = (kinds: Mark<SignalKind>[], excuses: Mark<LegitimacyKind>[]) =>
    markWeight(kinds) - Math.min(MOST_FOR_SENDER, markWeight(excuses));
  const weight = Math.max(
    left(
      signs,
      // Between people who are close, everyday matters are no sign. From a stranger they are.
      fors.filter(({ kind }) => kind !== 'plain_reason' && !(isFormal && kind === 'everyday')),
    ),
    left(
      signs.filter(({ kind }) => OFFERS.has(kind)),
      fors.filter(({ kind }) => !NO_EXCUSE.has(kind)),
    ),
    // Whoever promises a prize can also write how to end the messages.
    left(
      signs.filter(({ kind }) => kind === 'prize'),
      fors.filter(({ kind }) => kind !== 'terms'),
    ),
    // Everyday matters such as dinners, dogs and yoga classes do not excuse a stranger, who opens a
    // conversation with them.
    markWeight(signs.filter(({ kind }) => OPENINGS.has(kind))),
  );
  const heaviest = byKind(signs);
  const isAlone = signs.every(({ kind, weight: own }) => own < 1 && BESIDE_OTHERS.has(kind));
  const counts = weight >= COUNTS_FROM && !isAlone;
  return {
    signals: counts ? heaviest : [],
    notes: counts ? [] : heaviest,
    legitimacy: byKind(fors),
    weight: Math.max(0, weight),
  };
}

// Of each kind, the heaviest mark counts, because a repetition is not a second sign.
function markWeight(marks: Mark<string>[]): number {
  const heaviest = new Map<string, number>();
  for (const { kind, weight } of marks) heaviest.set(kind, Math.max(weight, heaviest.get(kind) ?? 0));
  return [...heaviest.values()].reduce((sum, weight) => sum + weight, 0);
}

function byKind(marks: Mark<string>[]): TextSignal[] {
  const kinds = new Map<string, TextSignal>();
  for (const { kind, words, language } of marks.toSorted((a, b) => b.weight - a.weight)) {
    const signal = kinds.get(kind) ?? { kind, words: [], language };
    if (words !== '' && signal.words.length < PARTS && !signal.words.includes(words))
      signal.words.push(words);
    kinds.set(kind, signal);
  }
  return [...kinds.values()];
}

const REQUESTS = new Set<string>(['account_lure', 'asks_secret', 'asks_documents', 'asks_money', 'install']);
/** Kinds that request a payment, and words with which Hindi states that it was made. */
const PAID = new Set<string>(['asks_money', 'asks_fee']);
const DONE = new Set(
  'diye diya die gaye gye gya gaya gayi liye liya hue hua hui chuka chuke chuki bheje bheja दिए दिया गए गया गई लिए हुए हुआ हुई चुके चुका मिले मिली'.split(
    ' ',
  ),
);

/** The tokens of a text as one string, in which the constructions of one language are searched. */
class TokenLine {
  private readonly line: string;
  private readonly starts: number[] = [];

  constructor(
    private readonly text: string,
    private readonly tokens: Token[],
    private readonly language: string,
  ) {
    let line = ' ';
    for (const { plain, isName, isTarget } of tokens) {
      this.starts.push(line.length);
      const mark = `${isTarget === true ? '<' : ''}${isName === true ? '^' : ''}`;
      line += `${foldedFor(language, plain)}${mark} `;
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

  // A warning against an act does not request it: "Never share this code" asks for no code.
  private isRefused(kind: string, first: number, last: number): boolean {
    if (PAID.has(kind) && this.language !== 'en' && this.isDone(last)) return true;
    if (!REQUESTS.has(kind)) return false;
    // In English the negation is before the verb with which a match begins. In Hindi it is inside the match.
    const from = this.language === 'en' ? first - 1 : first;
    const to = this.language === 'en' ? first : last + 1;
    const languages = this.language === 'en' ? (['en'] as const) : (['hi', 'hi-Latn'] as const);
    return this.tokens.slice(Math.max(0, from), to).some(({ plain }) => isNegation(plain, ...languages));
  }

  // Hindi states at the end that an act is complete. A completed payment is not requested.
  private isDone(last: number): boolean {
    return this.tokens.slice(last, last + 3).some(({ plain }) => DONE.has(plain));
  }
}
