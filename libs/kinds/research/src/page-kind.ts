import type { FoundItem } from '@casefile/contracts';
import { cutSentences } from '@casefile/pipeline/language/cut-sentences';
import words from './page-words.json' with { type: 'json' };

/** Pages whose text is no article. */
export const NO_ARTICLES = ['paywall', 'cookies', 'login', 'blocked'] as const;
export type NoArticle = (typeof NO_ARTICLES)[number];

/** What a page says of itself: its article was retracted or corrected, or is satire. */
export const PAGE_MARKS = ['retracted', 'corrected', 'satire'] as const;
export type PageMark = (typeof PAGE_MARKS)[number];

const anyOf = (patterns: readonly string[], start = '') =>
  new RegExp(`${start}(?:${patterns.join('|')})`, 'iu');
const LINES = NO_ARTICLES.map((kind) => [kind, anyOf(words[kind])] as const);
const MARKS = PAGE_MARKS.map((mark) => ({
  mark,
  title: anyOf(words[mark].title, '^[\\p{P}\\s]{0,3}'),
  text: anyOf(words[mark].text),
}));

/** Text that is looked at, in characters. A page that is no article is short. */
const MOST_TEXT = 4_000;
/** Text in which a page speaks of itself: its beginning, and as much of its end. */
const NOTE_TEXT = 1_500;
const MOST_SENTENCE = 400;
/** Fewest words, or letters of a script without blanks, of a sentence that tells something. */
const LEAST_WORDS = 5;
const LEAST_LETTERS = 10;

/**
 * Returns what stands in place of an article: a paywall, a notice on cookies, a login, or an error. null: the text has a
 * sentence of its own, or it is empty.
 */
export function noArticle({ text }: Pick<FoundItem, 'text'>): NoArticle | null {
  if (text.length > MOST_TEXT) return null;
  const kinds: NoArticle[] = [];
  for (const line of text.split('\n'))
    for (const sentence of cutSentences(line)) {
      const head = sentence.trim().slice(0, MOST_SENTENCE);
      const kind = LINES.find(([, pattern]) => pattern.test(head))?.[0];
      if (kind !== undefined) kinds.push(kind);
      else if (tellsSomething(head)) return null;
    }
  return kinds[0] ?? null;
}

function tellsSomething(sentence: string): boolean {
  const unspaced = sentence.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu);
  if ((unspaced?.length ?? 0) >= LEAST_LETTERS) return true;
  return sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= LEAST_WORDS;
}

/** Returns the marks of a page by its title and by notes in its text. */
export function pageMarks({ name, text }: Pick<FoundItem, 'name' | 'text'>): PageMark[] {
  const notes =
    text.length <= 2 * NOTE_TEXT ? text : `${text.slice(0, NOTE_TEXT)}\n${text.slice(-NOTE_TEXT)}`;
  return MARKS.filter(({ title, text: note }) => title.test(name.slice(0, 300)) || note.test(notes)).map(
    ({ mark }) => mark,
  );
}

const DAY_MS = 86_400_000;
/** Age from which a source is marked as old next to a newer one. */
const OLD_MS = 730 * DAY_MS;

/** Returns whether a source is more than two years older than the newest day of the sources. */
export function isOld(published: string | null, newest: number): boolean {
  const at = published === null ? Number.NaN : Date.parse(published);
  return newest - at > OLD_MS;
}
