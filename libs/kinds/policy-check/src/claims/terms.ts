import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import table from './words.json' with { type: 'json' };

const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
const STOP = new Set(
  [
    ...english,
    ...german,
    ...french,
    ...spanish,
    ...italian,
    ...dutch,
    ...portuguese,
    ...table.function.spaced.split(' '),
  ].map(folded),
);
const HAN_STOP = new RegExp(`[${table.function.han}]`, 'gu');
const WORD = /[\p{L}\p{M}]{2,60}|[\p{Script=Han}\p{Script=Katakana}]/gu;
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const MOST_READ = 20_000;

/**
 * Returns the words of a text that tell what it is about, in lower case without accents; of Chinese and Japanese, the
 * single signs that are no function words. No figures. Linear.
 */
export function termsIn(text: string): string[] {
  const read = text.normalize('NFKC').slice(0, MOST_READ);
  const terms = new Set<string>();
  for (const [word] of read.matchAll(WORD)) {
    if (HAN.test(word))
      for (const sign of word.replaceAll(HAN_STOP, ''))
        if (/[\p{Script=Han}\p{Script=Katakana}]/u.test(sign)) terms.add(sign);
    if (HAN.test(word)) continue;
    const plain = folded(word);
    if (!STOP.has(plain)) terms.add(plain);
  }
  return [...terms];
}

const LEAST_COMMON = 4;
const COMMON_SHARE = 0.6;
const LEAST_WHOLE = 3;

/** Returns whether two terms are forms of one word, or one is a part of a compound of the other. */
export function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  if (HAN.test(a) || HAN.test(b)) return false;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < shorter.length && a[at] === b[at]) at += 1;
  if (at === shorter.length && at >= LEAST_WHOLE && longer.length - at <= 2) return true;
  if (shorter.length >= LEAST_COMMON + 1 && longer.includes(shorter)) return true;
  return at >= LEAST_COMMON && at >= COMMON_SHARE * longer.length;
}

/** Returns whether a list of terms has a form of a term. */
export const hasTerm = (terms: readonly string[], sought: string): boolean =>
  terms.some((term) => isAlike(term, sought));
