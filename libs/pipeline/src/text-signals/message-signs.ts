import { compilePhrases, phraseLine, phrasesIn, type PhraseLists } from '../language/find-phrases.js';
import lists from './lexicons/message-signs.json' with { type: 'json' };

/** UTF-16 units that are read: of the beginning, and of the end where the text is longer. */
const HEAD = 8_000;
const TAIL = 2_000;
/** Different phrases that are enough in each language, and letters of one phrase that are enough on its own. */
const ENOUGH = { phrases: 2, letters: 4 } as const;

/** A link with its scheme or path: the bare name of a host is no link that a reader is to open. */
const LINK =
  /https?:\/\/|(?<![\p{L}\p{N}_.-])www\.|(?<![\p{L}\p{N}_.@/-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,24}\/[a-z0-9]/iu;
/** A phone number as people write it: with a country code, a trunk prefix or in groups. Times and ids have other forms. */
const PHONE =
  /(?<![\p{L}\p{N}.:_/-])(?:\+\d|\(0?\d{2,5}\)|0\d{2,4}[ /-]|1[ -]?8\d\d[ -]|[6-9]\d{9}(?!\d)|\d{3}[ -]\d{3}[ -]\d{4}(?!\d))[\d ()/-]{0,20}(?![\p{L}\p{N}:_]|\.\d)/u;

/** What of a text shows that it speaks to a person. `talk`: it only speaks of its writer. */
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
/** Made at the first text: most processes never read one. */
let phraseLists: ReturnType<typeof compiled> | null = null;

/**
 * Returns the signs that a text speaks to a person: a greeting, an addressee, a request, a link, a phone number, an offer; and
 * talk of its writer. A short word that other languages have too counts in English and in `languages`; in each other language
 * only with a second phrase of it. Takes time linear in the length of the text, of which beginning and end are read.
 * @param languages Languages (BCP 47) that the text is known to be in.
 */
export function messageSigns(text: string, languages: readonly string[] = []): Set<MessageSign> {
  const read = endsOf(text);
  const signs = new Set<MessageSign>();
  if (LINK.test(read) || /https?:\/\//i.test(text)) signs.add('link');
  if (PHONE.test(read)) signs.add('number');
  phraseLists ??= compiled();
  const line = phraseLine(read);
  const found = phraseLists.flatMap(({ sign, language, phrases }) =>
    phrasesIn(line, phrases, ENOUGH.phrases).map((phrase) => ({ sign, language, phrase })),
  );
  for (const { sign, language, phrase } of found) {
    const isKnown = language === 'en' || languages.includes(language);
    const isPlain = phrase.length >= ENOUGH.letters || !/^[a-z ]*$/.test(phrase);
    if (isKnown || isPlain || found.filter((one) => one.language === language).length >= ENOUGH.phrases)
      signs.add(sign);
  }
  return signs;
}

/** Returns the beginning and the end of a text, which are read of it. */
export function endsOf(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}
