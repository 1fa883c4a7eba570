import { compilePhrases, phraseLine, phrasesIn } from '../language/find-phrases.js';
import { withDigitsForMasks } from '../entities/links.js';
import lists from './lexicons/records.json' with { type: 'json' };
import { askKinds } from './asks-in-other-languages.js';
import { messageSigns } from './message-signs.js';
import type { Token } from './tokens.js';
import { isNegation } from '../reading/index.js';
import requests from './lexicons/requests.json' with { type: 'json' };

/**
 * Form of a text that a program of a bank, shop or service sends about one event. `receipt`: a payment, with its amount and
 * at least one fact that such a program knows. `code`: a one-time code.
 */
type ReceiptOrCodeForm = 'receipt' | 'code';

/** A receipt or a one-time code, as read from its text. */
export interface ReceiptOrCode {
  form: ReceiptOrCodeForm;
  /**
   * Facts of a receipt, from 1 to 4: the account, the balance, a reference, and the day. 0: a code.
   */
  facts: number;
  /** Whether a receipt has the balance, which only its bank knows. */
  hasBalance: boolean;
  /** Whether words of another language than those of the rules request or promise something. A warning does not count. */
  asks: boolean;
}

/** Words that name the use of a code at the service that sent it. They request nothing else from its reader. */
const USE_OF_CODE: ReadonlySet<string> = new Set(lists.use.split(' '));
/** Tokens of receipts that request nothing: payees, numbers of accounts, and advertising of airtime. */
const IN_RECEIPT: ReadonlySet<string> = new Set(['PAYID', 'PHONE', 'buy']);
const POLITE: ReadonlySet<string> = new Set(['please', 'pls', 'kindly']);
/** Words before "stop" in an instruction to unsubscribe. */
const OPT_OUT: ReadonlySet<string> = new Set(['text', 'txt']);
/** Words before the name of a shop that is also a domain. */
const BEFORE_SHOP: ReadonlySet<string> = new Set(['at', 'to', 'from', 'on', 'by', 'for']);

/** The end of a sentence without a blank, which reads like the name of a host: "confirmed.You". */
const WITHOUT_BLANK = /^[^/]{0,80}[\p{Ll}\d]\.\p{Lu}\p{Ll}{1,20}$/u;

/** Returns whether the token at an index only states a fact in a receipt or code. @param text text of the tokens */
function isStatedIn(form: ReceiptOrCodeForm, text: string, tokens: readonly Token[], at: number): boolean {
  const { plain = '', start = 0, end = 0 } = tokens[at] ?? {};
  if (form === 'code') return USE_OF_CODE.has(plain);
  if (POLITE.has(plain)) return isContactWord(tokens[at + 1]?.plain ?? '');
  if (plain === 'stop') return OPT_OUT.has(tokens[at - 1]?.plain ?? '');
  if (plain !== 'LINK') return IN_RECEIPT.has(plain);
  const link = text.slice(start, end);
  return WITHOUT_BLANK.test(link) || (BEFORE_SHOP.has(tokens[at - 1]?.plain ?? '') && !/[/?]/.test(link));
}

/** UTF-16 units of the longest receipt, and words of the longest code. */
const LONGEST = 700;
const LONGEST_CODE = 45;

const NUMBER = String.raw`\p{Nd}{1,3}(?:[,.' ]?\p{Nd}{2,3}){0,6}(?:[.,]\p{Nd}{1,3})?`;
/** A currency by its sign, its ISO 4217 code, or its name. */
const CURRENCY = String.raw`(?:\p{Sc}|(?<![A-Za-z])(?:[A-Z]{3}|[A-Z][a-z]h|Tk|Rs|MT|SR|Birr|birr|rs|kr|zł|Kč|лв|руб|₽)(?![A-Za-z])\.?|ريال|جنيه|درهم|دينار|تومان|ریال|บาท|元|円|원)`;
const AMOUNT = new RegExp(
  String.raw`${CURRENCY}\s?:?\s?[-+]?${NUMBER}(?![\p{Nd}])(?=[CD]R|[^\p{L}]|$)|${NUMBER}\s?${CURRENCY}|(?<![\p{Nd}.,/-]|\p{Nd}:)[-+]?\p{Nd}{1,3}(?:,\p{Nd}{3}){1,5}(?:\.\p{Nd}{1,2})?(?![\p{Nd}/:])|(?<![\p{Nd}.,/-]|\p{Nd}:)\p{Nd}{1,9}[.,]\p{Nd}{2}(?![\p{Nd}.,/:])`,
  'u',
);
const ACCOUNT =
  /(?<![\p{L}])(?:a\/c|acct?|account|conta|cuenta|compte|konto|card|حساب)[\s:.#]{0,4}(?:no|number)?[\s:.#]{0,4}\d{4,20}(?!\p{N})|[xX*#•]{2,12}[\s-]?\d{2,6}(?!\d)|(?<![\p{L}\p{N}])[xX*#•]\d{3,6}(?!\d)|\d{1,6}[xX*#•]{2,12}\d{0,6}|(?<![\p{L}])ending(?:\s(?:in|with))?\s\d{3,5}|(?<![\p{L}])[xX*#]{4,16}(?![\p{L}])/iu;
const DAY =
  /(?<!\d)\d{1,4}[-/.]\d{1,2}[-/._]\d{1,4}(?!\d)|(?<!\d)\d{1,2}[- ]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[- ,]?\d{0,4}(?![a-z])|(?<!\d)\d{1,2}:\d{2}(?!\d)/i;
/** A word of a reference with a value that has a digit. */
const REFERENCE_VALUE = /(?<![\p{L}\p{N}])(?=[\p{L}]{0,12}\p{N})[\p{L}\p{N}]{6,40}(?![\p{L}\p{N}])/u;
/** A code of four to eight digits, alone or in two groups, with letters of its service before it. */
const CODE =
  /(?<![\p{L}\p{N}.,$€£/-])(?:[A-Z]{1,3}-)?\d{3,4}(?:[ -]?\d{2,4})?(?![\p{N}%]|[.,/:-]\d|-[\p{L}])/u;
const BARE_CODE = /^\s*[A-Z]{1,2}-\d{5,8}(?!\d)[^\p{N}]{0,30}$/u;

/** Requests in other languages; a text with one is no receipt and no code. */
const PROMISES = new Set<string>(['gain', 'install', 'secrecy']);

const compiled = () => ({
  done: compilePhrases(lists.done),
  balance: compilePhrases(lists.balance),
  reference: compilePhrases(lists.reference),
  code: compilePhrases(lists.code),
  warning: compilePhrases(lists.warning),
  give: compilePhrases(lists.give),
});
type Lists = typeof lists;
/** Compiled at the first short text with a number. */
let phrases: ReturnType<typeof compiled> | null = null;

/**
 * Returns the form of a text that records one payment or states a code, in any language; null: another text. Takes time
 * linear in the length of the text; texts longer than a message are not read.
 * @param isRead whether the rules read the language: then they find its requests, and only other languages are searched
 */
export function readReceiptOrCode(given: string, isRead: boolean): ReceiptOrCode | null {
  if (given.length > LONGEST || !/\p{Nd}/u.test(given)) return null;
  const text = withDigitsForMasks(given);
  phrases ??= compiled();
  // Some languages write the figure next to its word.
  const line = phraseLine(text.replace(/(?<=\p{L})(?=\p{Nd})/gu, ' '));
  const has = (list: Exclude<keyof Lists, 'use'>) => phrasesIn(line, phrases?.[list] ?? [], 1).length > 0;
  const isCode =
    BARE_CODE.test(text) ||
    (CODE.test(text) && line.split(' ').length <= LONGEST_CODE && has('code') && !AMOUNT.test(text));
  if (isCode)
    return {
      form: 'code',
      facts: 0,
      hasBalance: false,
      asks: asksIn(
        line
          .split(' ')
          .filter((word) => !USE_OF_CODE.has(word))
          .join(' '),
        isRead,
      ),
    };
  const hasBalance = has('balance');
  if (!AMOUNT.test(text) || !(hasBalance || has('done'))) return null;
  const facts = [
    ACCOUNT.test(text),
    hasBalance,
    has('reference') && REFERENCE_VALUE.test(text),
    DAY.test(text),
  ].filter(Boolean).length;
  return facts === 0 ? null : { form: 'receipt', facts, hasBalance, asks: asksIn(line, isRead) };
}

// A warning not to pass on a code names the act against which it warns.
function asksIn(line: string, isRead: boolean): boolean {
  const rest = (phrases?.warning ?? []).reduce(
    (left, { needle }) => (left.includes(needle) ? left.replaceAll(needle, ' . ') : left),
    line,
  );
  if (phrasesIn(rest, phrases?.give ?? [], 1).length > 0) return true;
  if (isRead) return false;
  return messageSigns(rest).has('request') || askKinds(rest).some((kind) => PROMISES.has(kind));
}

/** Minimum facts of a receipt whose telephone number is no request: a number for questions, or to undo the payment. */
const FACTS_BESIDE_NUMBER = { help: 2, undo: 3 } as const;
const UNDO = new Set('dispute unauthorised unauthorized unauthorise fraud cancel reverse block'.split(' '));
/** Most digits of a short code, which only an operator of a telephone network assigns. */
const SHORT_CODE = 6;
/** Tokens between a word such as "call" and its number: "SMS BLOCK 3321 to". */
const BEFORE_NUMBER = 5;
/** Words for the case that the reader did not pay. False notices speak of it too, but do not know the balance. */
const DENIAL = new Set('not nt didnt wasnt havent isnt'.split(' '));

/** Returns whether a receipt or code requests nothing of its reader. */
export function requestsNothing(record: ReceiptOrCode, text: string, tokens: readonly Token[]): boolean {
  if (record.asks) return false;
  const requested = requestLevel(text, tokens, (at) => isStatedIn(record.form, text, tokens, at));
  return requested === 'none' || (requested === 'contact' && isForQuestions(record, text, tokens));
}

function isForQuestions(
  { form, facts, hasBalance }: ReceiptOrCode,
  text: string,
  tokens: readonly Token[],
): boolean {
  if (form !== 'receipt') return false;
  const has = (words: ReadonlySet<string>) => tokens.some(({ plain }) => words.has(plain));
  if (numberToDeny(text, tokens) !== null) return false;
  if (has(DENIAL)) return hasBalance && facts >= FACTS_BESIDE_NUMBER.undo;
  return facts >= FACTS_BESIDE_NUMBER[has(UNDO) ? 'undo' : 'help'];
}

/**
 * Returns the words of a text that give a telephone number for the case that its reader did not pay; null: none do. Whoever
 * copies a notice can invent every fact and put an own number in it, but cannot get a short code of an operator.
 */
export function numberToDeny(text: string, tokens: readonly Token[]): string | null {
  if (!tokens.some(({ plain }) => DENIAL.has(plain))) return null;
  for (const [at, { plain, start, end }] of tokens.entries()) {
    if (plain !== 'PHONE' && plain !== 'NUM') continue;
    const digits = text.slice(start, end).replace(/\D/gu, '').length;
    if (digits <= SHORT_CODE || isReference(tokens, at)) continue;
    const call = tokens.slice(Math.max(0, at - BEFORE_NUMBER), at).find((one) => isContactWord(one.plain));
    if (call !== undefined) return text.slice(call.start, end);
  }
  return null;
}

/**
 * Strongest request of a text. `act`: its reader is to do, send, open or answer something. `contact`: only a
 * number or a way to contact the sender is given, or a question is asked. `none`: nothing is asked for.
 */
type RequestLevel = 'none' | 'contact' | 'act';

const words = (list: Record<string, string>) => new Set(Object.values(list).join(' ').split(' '));
const ACT = words(requests.act);
const CONTACT = words(requests.contact);
/** Verbs that are also nouns: they request something only before one of the objects. */
const WITH_OBJECT = new Set(requests.object.verbs.split(' '));
const OBJECT = new Set(requests.object.objects.split(' '));
/** Polite imperatives of Hindi by their ending, and participles that end alike. */
const POLITE_ENDING = /(?:[िइ](?:ए|ये)(?:गा)?|iye(?:ga)?)$/u;
const PARTICIPLES = new Set('लिए किए दिए पिए लिये किये दिये पिये liye kiye diye piye'.split(' '));
/** Words before a long number that is no phone number. */
const REFERENCE = new Set(requests.reference.split(' '));
/** Tokens that a reader can only open, write to or pay. */
const USED = new Set(['LINK', 'MAIL', 'HANDLE', 'PAYID', 'COIN', 'APK']);
/** Words between a negation and the verb that it negates. */
const BETWEEN = new Set(['to', 'ever']);
/** Hindi words that turn a negation before them into "otherwise". */
const OTHERWISE = new Set(['तो', 'to', 'toh']);
/** Maximum number of tokens between a code and the purpose that follows it. */
const PURPOSE = 3;

/**
 * Returns the strongest request of a text by its verbs, links and numbers. "Do not share it" and "use 1234 to
 * log in" request nothing: the first forbids an act, and the second names what a code is for.
 * @param text text from which `tokens` were made
 * @param isStated whether the token at an index only states a fact in this text. Default: none does
 */
export function requestLevel(
  text: string,
  tokens: readonly Token[],
  isStated: (at: number) => boolean = () => false,
): RequestLevel {
  const isActing = (i: number) =>
    USED.has(tokens[i]?.plain ?? '') || (isAct(tokens, i) && isRequested(tokens, i));
  if (tokens.some((_token, i) => isActing(i) && !isStated(i))) return 'act';
  const isContact = tokens.some(
    ({ plain }, i) => (CONTACT.has(plain) || (plain === 'PHONE' && !isReference(tokens, i))) && !isStated(i),
  );
  return isContact || /[?？]/.test(text) ? 'contact' : 'none';
}

/** Returns whether a word only names a way to reach somebody, such as "call". */
const isContactWord = (word: string): boolean => CONTACT.has(word);

function isAct(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.plain ?? '';
  if (ACT.has(word) || (POLITE_ENDING.test(word) && !PARTICIPLES.has(word))) return true;
  return WITH_OBJECT.has(word) && OBJECT.has(tokens[at + 1]?.plain ?? '');
}

function isRequested(tokens: readonly Token[], at: number): boolean {
  const word = (offset: number) => tokens[at + offset]?.plain ?? '';
  const isNo = (offset: number) => isNegation(word(offset), 'en', 'hi', 'hi-Latn');
  if (isNo(-1) || (BETWEEN.has(word(-1)) && isNo(-2))) return false;
  // "Please do not share it", "you must not share it"; but "reply no" and "send it, otherwise" are requests.
  if ((isNo(1) && word(1) !== 'no' && !OTHERWISE.has(word(2))) || (word(1) === 'do' && isNo(2))) return false;
  const isPurpose =
    word(-1) === 'to' &&
    tokens.slice(Math.max(0, at - 1 - PURPOSE), at - 1).some(({ plain }) => plain === 'NUM');
  return !isPurpose;
}

/** Returns whether a number is named as a reference by a word before it. */
function isReference(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 2), at).some(({ plain }) => REFERENCE.has(plain));
}
