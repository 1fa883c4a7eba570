import { isStopWord } from '../reading/index.js';
import { wordStem } from '../reading/shingles.js';

const TOKEN = /[\p{L}\p{N}_]+(?:[.\-_/:@][\p{L}\p{N}_]+)*/gu;
const MOST_NAMES = 200;
const MOST_READ = 4_000;
const FORM = /[-_.@]|\p{L}\d|\p{Ll}\p{Lu}/u;
/** Times, dates, versions and figures with a unit are no names. */
const NO_NAME = /^(?:[\d.,:/+-]+[a-z%]{0,5}|\d{4}-\d\d-\d\d[tT].*|v?\d+(?:\.\d+)+|p\d\d)$/iu;
/** Ends of a name that number an instance of the same thing: `checkout-7f9c-x2x1z`, `db-2`. */
const INSTANCE = /^[-_.](?:\d{1,4}|[0-9a-f]{4,16}(?:[-_.][a-z0-9]{4,8})?)$/;

/** Returns the technical names of a text in lower case: `replica-3`, `es-4`, `shop.example`, `maxReplicas`. */
export const namesIn = (text: string): string[] =>
  [
    ...new Set(
      (text.slice(0, MOST_READ).match(TOKEN) ?? [])
        .filter((token) => /\p{L}/u.test(token) && FORM.test(token) && !NO_NAME.test(token))
        .map((token) => token.toLowerCase()),
    ),
  ].slice(0, MOST_NAMES);

/** Returns whether a text has a name as a whole word, or the name of an instance of it. Both are in lower case. */
export function namesIt(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (/[\p{L}\p{N}_]$/u.test(text.slice(0, at)) || /[\p{L}\p{N}][-.]$/u.test(text.slice(0, at))) continue;
    const [rest = ''] =
      /^[-_.]?[\p{L}\p{N}_]*(?:[-_.][\p{L}\p{N}_]+)*/u.exec(
        text.slice(at + name.length, at + name.length + 60),
      ) ?? [];
    if (rest === '' || /^[_.-]$/.test(rest) || INSTANCE.test(rest)) return true;
  }
  return false;
}

/** Returns the content words of a text as stems: no function words, figures and names of one letter. */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text
    .slice(0, MOST_READ)
    .toLowerCase()
    .matchAll(/[\p{L}][\p{L}\p{M}]{2,60}/gu)) {
    if (!isStopWord(word)) words.add(wordStem(word).slice(0, 8));
  }
  return words;
}
