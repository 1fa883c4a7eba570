import { followsOrdinal, isShortMonth } from '../reading/index.js';
import table from './abbreviations.json' with { type: 'json' };

const words = (...lists: string[]): Set<string> =>
  new Set(lists.flatMap((list) => list.toLowerCase().split(' ')));

/**
 * Abbreviations within sentences. Single letters (`z. B.`) and chains (`d.w.z.`) need no entry.
 */
const continuing = words(...Object.values(table.continuing));
/** Abbreviations before numbers; at the end of a sentence they are words (`The answer was no.`). */
const beforeNumber = words(table.beforeNumber);
/** Nouns that follow an ordinal without an article: `Ende 19. Jahrhundert`. */
const counted = words(table.counted);
/** Words before an ordinal, which never end a sentence: `am 12. März`, `der 3. Platz`. */
const beforeOrdinal = words(table.beforeOrdinal);
/** Capitalised words that begin the next sentence, so that the number before them is not an ordinal. */
const starting = words(table.starting);

/** UTF-16 units around a point that are examined. */
const EXAMINED = 40;

/**
 * Returns whether a sentence continues after the point at `at`: the point belongs to an abbreviation, an
 * initial or an ordinal number, or a lower-case word follows. Examines a bounded part of the text.
 */
export function continuesAfterPoint(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - EXAMINED), at);
  const after = text.slice(at + 1, at + 1 + EXAMINED);
  const next = /^[^\S\n\r]*(.*)/su.exec(after)?.[1] ?? '';
  if (next === '' || /^[\n\r]/.test(next)) return false;
  // `am 10./11. März`
  if (/^\p{Ll}/u.test(next) || /^[/,;:–-]/.test(after)) return true;
  const word = (before.split(/[^\p{L}\p{M}\p{N}º.]/u).at(-1) ?? '').toLowerCase();
  if (/^\p{L}/u.test(word)) return isAbbreviation(word, before, next);
  const number = /(?<![\p{N}.,])\d{1,3}$/u.exec(before);
  return number !== null && isOrdinal(before.slice(0, number.index), Number(number[0]), next);
}

function isAbbreviation(word: string, before: string, next: string): boolean {
  // `5 p.m.` ends sentences; an initial and a chain of short parts do not.
  if (word.includes('.')) return /^(?:\p{L}{1,2}\.)+\p{L}{1,3}$/u.test(word) && !/^[ap]\.m$/.test(word);
  // `p. ex.`
  if (word === 'ex' && /\bp\.\s?ex$/i.test(before)) return true;
  if (word.length === 1 && /^[\p{Lu}\p{Ll}]$/u.test(word)) return true;
  if (continuing.has(word) || isShortMonth(word)) return true;
  return beforeNumber.has(word) && /^[\d§]/.test(next);
}

function isOrdinal(lead: string, number: number, next: string): boolean {
  // `12. 3. 2026`
  if (number <= 31 && /^\d{1,2}\.(?:\s|\d|$)/.test(next)) return true;
  const follower = /^\p{L}[\p{L}\p{M}]*/u.exec(next)?.[0].toLowerCase() ?? '';
  const leader =
    lead
      .trimEnd()
      .split(/[\s(„“"]/)
      .at(-1)
      ?.toLowerCase() ?? '';
  if ((number <= 31 && followsOrdinal(follower)) || counted.has(follower)) return true;
  return follower !== '' && beforeOrdinal.has(leader) && !starting.has(follower) && !/\bI am\s*$/.test(lead);
}
