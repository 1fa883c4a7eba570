import { countScripts } from '../reading/index.js';
import table from './words/languages.json' with { type: 'json' };

const sets = (lists: Readonly<Record<string, string>>): [string, ReadonlySet<string>][] =>
  Object.entries(lists).map(([code, words]) => [code, new Set(words.split(' '))]);
const READ = sets(table.read);
const UNREAD = sets(table.unread);
const UNREAD_LETTERS = new Set(table.letters);
const MOST_READ = 4_000;
/** A word that is no part of an id, a path or a figure. */
const WORD = /(?<![\p{L}\p{M}\p{N}_./@-])\p{L}[\p{L}\p{M}]*(?![\p{L}\p{M}\p{N}_/@]|[.-][\p{L}\p{N}])/gu;
const CYRILLIC: ReadonlySet<string> = new Set(['ru', 'uk', 'bg']);

/** Language of a text, as far as the word lists matter. */
export interface ClaimLanguage {
  /** Language with word lists; null: not known. */
  code: string | null;
  /** Whether the text is in a language without word lists. Then its words prove nothing. */
  isUnread: boolean;
}

/**
 * Returns the language of a claim or a source by its script and function words. Lines of logs often have none: their
 * language is not known, and they count as technical English. Linear.
 */
export function claimLanguage(text: string): ClaimLanguage {
  const read = text.slice(0, MOST_READ);
  const { han, kana, hangul, latin, cyrillic, ...others } = countScripts(read);
  const unread = hangul + Object.values(others).reduce((sum, count) => sum + count, 0);
  if (unread * 2 > latin + han + kana + cyrillic && unread > 0) return { code: null, isUnread: true };
  if (kana > 0 && (kana + han) * 3 > latin) return { code: 'ja', isUnread: false };
  if (han > 0 && han * 3 > latin) return { code: 'zh', isUnread: false };
  const words = (read.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 0);
  const isCyrillic = cyrillic > latin / 2;
  const best = (lists: typeof READ) =>
    lists
      .filter(([code]) => CYRILLIC.has(code) === isCyrillic)
      .map(([code, set]) => ({ code, count: words.filter((word) => set.has(word)).length }))
      .reduce((first, one) => (one.count > first.count ? one : first), { code: '', count: 0 });
  const [known, unknown] = [best(READ), best(UNREAD)];
  if (unknown.count > known.count) return { code: null, isUnread: true };
  const hasLetters = words.some((word) => [...word].some((letter) => UNREAD_LETTERS.has(letter)));
  if (hasLetters && known.count < 2)
    return { code: known.code === 'pl' ? 'pl' : null, isUnread: known.code !== 'pl' };
  return { code: known.count > unknown.count ? known.code : null, isUnread: false };
}
