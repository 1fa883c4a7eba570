import { UNSPACED_LETTER } from '../reading/script.js';

const UNSPACED = new RegExp(UNSPACED_LETTER, 'u');

/**
 * Phrases of several languages as data: per language one string, with `/` between phrases. Words of a phrase have a blank
 * between them; a `*` after the last word stands for any ending.
 */
export type PhraseLists = Readonly<Record<string, string>>;

/** A phrase, with the form in which it is searched and the form in which it is shown. */
interface Phrase {
  needle: string;
  shown: string;
}

/**
 * Returns a text in the form in which phrases are searched: lower case, without accents and signs, one blank
 * around each word. Linear.
 */
export function phraseLine(text: string): string {
  return ` ${plainWords(text).join(' ')} `;
}

/** Returns the phrases of lists in the form in which they are searched. */
export function compilePhrases(lists: PhraseLists): readonly Phrase[] {
  return Object.values(lists).flatMap((list) =>
    list.split('/').map((phrase) => {
      const words = plainWords(phrase).join(' ');
      if (UNSPACED.test(words)) return { needle: words, shown: words };
      return { needle: ` ${words}${phrase.endsWith('*') ? '' : ' '}`, shown: words };
    }),
  );
}

/**
 * Returns the first phrases in a line of `phraseLine`, at most `most` of them. Takes time linear in the
 * length of the line for each phrase.
 */
export function phrasesIn(line: string, phrases: readonly Phrase[], most: number): string[] {
  const matches: string[] = [];
  for (const { needle, shown } of phrases) {
    if (matches.length >= most) return matches;
    if (line.includes(needle)) matches.push(shown);
  }
  return matches;
}

// Marks above Latin, Greek and Cyrillic letters are removed from lists and texts, because people often leave
// them out.
function plainWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
