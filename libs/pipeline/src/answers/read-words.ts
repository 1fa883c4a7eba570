const MOST_CHARACTERS = 200;
/** Words after which a choice is not the one that is named. */
const NEGATIONS = new Set(['not', 'no', 'non', 'never', 'neither', 'nor', 't', 'without', 'hardly']);

/** Returns the one of `choices` that a text names, or null if it names none, several or a negated one. */
export function choiceIn(text: string, choices: readonly string[]): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const trimmed = text.trim();
  const exact = choices.find((choice) => choice === trimmed);
  if (exact !== undefined) return exact;
  const words = wordsOf(trimmed);
  const named = choices.map((choice) => ({ choice, words: wordsOf(choice) }));
  const same = named.filter((one) => one.words.join(' ') === words.join(' '));
  if (same.length > 0) return same.length === 1 ? same[0]!.choice : null;
  // The longest first: "not met" is NOT_MET, not MET.
  let rest = ` ${words.join(' ')} `;
  const found = named
    .toSorted((a, b) => b.words.length - a.words.length)
    .filter((one) => {
      const phrase = ` ${one.words.join(' ')} `;
      if (one.words.length === 0 || !rest.includes(phrase)) return false;
      rest = rest.replaceAll(phrase, ' | ');
      return true;
    });
  const isNegated = rest.split(' ').some((word) => NEGATIONS.has(word));
  return found.length === 1 && !isNegated ? found[0]!.choice : null;
}

function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return apart.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Returns the truth value that a text is the word for, or null. */
export function truthIn(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

const NOTHING = new Set([
  '',
  'none',
  'null',
  'nil',
  'n/a',
  'na',
  '-',
  '[]',
  'nothing',
  'empty',
  'no',
  '()',
  '{}',
]);

/** Does a text say that there is nothing? */
export function saysNothing(text: string): boolean {
  return NOTHING.has(text.trim().toLowerCase().replace(/\.$/, ''));
}

const MOST_LIST_CHARACTERS = 20_000;
/** What stands before an entry of a list that is written in lines. */
const BULLET = /^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+/;

/**
 * Returns the entries of a list that was written as a text, or null if their ends are unknown: lines, entries
 * apart by semicolons, single words apart by commas or "and", or one sentence.
 */
export function entriesIn(text: string): string[] | null {
  if (text.length > MOST_LIST_CHARACTERS) return null;
  if (saysNothing(text)) return [];
  const inner = /^\s*\[([^[\]{}]*)\]\s*$/.exec(text)?.[1] ?? text;
  const lines = inner.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 1) return lines.map((line) => unquoted(line.replace(BULLET, '')));
  const one = inner.replace(BULLET, '').replace(/\s+/g, ' ').trim();
  const words = partsOf(one.replace(/ (?:and|&) /gi, ','), /[,;]/);
  if (words.every((word) => /^\S{1,80}$/.test(word))) return words.map(unquoted);
  const bare = one.split(' ');
  if (bare.every((word) => /^\[?[A-Z]{1,3}\d{1,4}\]?$/i.test(word))) return bare;
  const parts = partsOf(one, ';');
  if (parts.length > 1) return parts.map(unquoted);
  return one.includes(',') ? null : [unquoted(one)];
}

function partsOf(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function unquoted(text: string): string {
  const trimmed = text.trim().replace(/,$/, '');
  return /^(["'`]).*\1$/.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}
