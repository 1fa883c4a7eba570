import { compilePhrases, phraseLine, phrasesIn, type PhraseLists } from '../language/find-phrases.js';
import lists from './lexicons/message-signs.json' with { type: 'json' };

/** Number of UTF-16 units that are read at the beginning and, if the text is longer, at the end. */
const HEAD = 8_000;
const TAIL = 2_000;
/**
 * Number of different phrases that suffice in a language, and number of letters of a single phrase that
 * suffices.
 */
const ENOUGH = { phrases: 2, letters: 4 } as const;

/** A link with a scheme or path. The bare name of a host is not a link that a reader should open. */
const LINK =
  /https?:\/\/|(?<![\p{L}\p{N}_.-])www\.|(?<![\p{L}\p{N}_.@/-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,24}\/[a-z0-9]/iu;
/**
 * A phone number as people write it: with a country code, a trunk prefix or in groups. Times and ids have
 * other forms.
 */
const PHONE =
  /(?<![\p{L}\p{N}.:_/-])(?:\+\d|\(0?\d{2,5}\)|0\d{2,4}[ /-]|1[ -]?8\d\d[ -]|[6-9]\d{9}(?!\d)|\d{3}[ -]\d{3}[ -]\d{4}(?!\d))[\d ()/-]{0,20}(?![\p{L}\p{N}:_]|\.\d)/u;

/** Features that show that a text addresses a person. `talk`: it only talks about its writer. */
export type MessageSign = 'greeting' | 'addressee' | 'request' | 'link' | 'number' | 'offer' | 'talk';

type ListedSign = Exclude<MessageSign, 'link' | 'number'>;
const KINDS = Object.keys(lists) as ListedSign[];

const compiled = () =>
  KINDS.flatMap((sign) =>
    Object.entries(lists[sign] as PhraseLists).map(([language, list]) => ({
      sign,
      language,
      phrases: compilePhrases({ [language]: list }),
    })),
  );
/** Compiled at the first text, because most processes never read one. */
let phraseLists: ReturnType<typeof compiled> | null = null;

/**
 * Returns the signs that a text addresses a person: a greeting, an addressee, a request, a link, a phone
 * number, an offer, and talk about its writer. A short word that several languages share counts in English
 * and in `languages`. In other languages it needs a second phrase. Takes time linear in the length of the
 * text, of which the beginning and the end are read.
 * @param languages languages (BCP 47) that the text is known to be in
 */
export function messageSigns(text: string, languages: readonly string[] = []): Set<MessageSign> {
  const read = endsOf(text);
  const signs = new Set<MessageSign>();
  if (LINK.test(read) || /https?:\/\//i.test(text)) signs.add('link');
  if (PHONE.test(read)) signs.add('number');
  phraseLists ??= compiled();
  const line = phraseLine(read);
  const matches = phraseLists.flatMap(({ sign, language, phrases }) =>
    phrasesIn(line, phrases, ENOUGH.phrases).map((phrase) => ({ sign, language, phrase })),
  );
  for (const { sign, language, phrase } of matches) {
    const isKnown = language === 'en' || languages.includes(language);
    const isPlain = phrase.length >= ENOUGH.letters || !/^[a-z ]*$/.test(phrase);
    if (isKnown || isPlain || matches.filter((one) => one.language === language).length >= ENOUGH.phrases)
      signs.add(sign);
  }
  return signs;
}

/** Returns the beginning and the end of a text, which are the parts that are read. */
export function endsOf(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}
