import { compilePhrases, phraseLine, phrasesIn } from '../language/find-phrases.js';
import lists from './lexicons/requests.json' with { type: 'json' };

/** UTF-16 units of a text that are read, at its beginning and at its end. */
const HEAD = 20_000;
const TAIL = 4_000;
/** Maximum number of phrases that are named per kind. */
const NAMED = 2;

type Kind = keyof typeof lists;
const KINDS = Object.keys(lists) as Kind[];

/** Languages (BCP 47) whose words for requests the rules know. */
export const READ_BY_LEXICON: ReadonlySet<string> = new Set(Object.keys(lists.secret));
/** Languages whose words `text_signals` weighs. */
export const READ_BY_TEXT_SIGNALS: ReadonlySet<string> = new Set(['en', 'hi', 'hi-Latn']);

const compiled = () =>
  new Map(
    KINDS.map((kind) => [
      kind,
      new Map(
        Object.entries(lists[kind]).map(([language, list]) => [
          language,
          compilePhrases({ [language]: list }),
        ]),
      ),
    ]),
  );
/** Compiled at the first mail. */
let phrases: ReturnType<typeof compiled> | null = null;

/** A kind of request in a mail, with words that show it. */
export interface MailRequest {
  kind: `asks_${Kind}`;
  words: string[];
}

/**
 * Returns the requests and threats in a mail by the phrases of its language: for secrets, sign-ins, payments, an answer
 * elsewhere, of trouble, gains and deadlines. Empty for a language without phrases. They are enough to doubt a
 * newsletter, not to judge a text. Takes time linear in the length of the text.
 * @param language BCP 47
 */
export function mailRequests(text: string, language: string): MailRequest[] {
  const base = READ_BY_LEXICON.has(language) ? language : (language.split('-')[0] ?? '');
  if (!READ_BY_LEXICON.has(base)) return [];
  const read = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  const line = phraseLine(read);
  phrases ??= compiled();
  return [...phrases].flatMap(([kind, byLanguage]) => {
    const words = phrasesIn(line, byLanguage.get(base) ?? [], NAMED);
    return words.length === 0 ? [] : [{ kind: `asks_${kind}` as const, words }];
  });
}
