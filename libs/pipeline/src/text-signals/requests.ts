import { isNegation } from '../reading/index.js';
import lists from './lexicons/requests.json' with { type: 'json' };
import type { Token } from './tokens.js';

/**
 * Strongest request of a text. `act`: its reader is to do, send, open or answer something. `contact`: only a
 * number or a way to contact the sender is given, or a question is asked. `none`: nothing is asked for.
 */
export type RequestLevel = 'none' | 'contact' | 'act';

const words = (list: Record<string, string>) => new Set(Object.values(list).join(' ').split(' '));
const ACT = words(lists.act);
const CONTACT = words(lists.contact);
/** Verbs that are also nouns: they request something only before one of the objects. */
const WITH_OBJECT = new Set(lists.object.verbs.split(' '));
const OBJECT = new Set(lists.object.objects.split(' '));
/** Polite imperatives of Hindi by their ending, and participles that end alike. */
const POLITE = /(?:[िइ](?:ए|ये)(?:गा)?|iye(?:ga)?)$/u;
const PARTICIPLES = new Set('लिए किए दिए पिए लिये किये दिये पिये liye kiye diye piye'.split(' '));
/** Words before a long number that is no phone number. */
const REFERENCE = new Set(lists.reference.split(' '));
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
export const isContactWord = (word: string): boolean => CONTACT.has(word);

function isAct(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.plain ?? '';
  if (ACT.has(word) || (POLITE.test(word) && !PARTICIPLES.has(word))) return true;
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
export function isReference(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 2), at).some(({ plain }) => REFERENCE.has(plain));
}
