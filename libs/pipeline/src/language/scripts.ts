/** Scripts that one language stands for by itself, and those that several share (null: an identifier must tell). */
const SCRIPTS: readonly [script: string, language: string | null][] = [
  ['Latin', null],
  ['Devanagari', null],
  ['Arabic', null],
  ['Cyrillic', null],
  ['Bengali', null],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Gujarati', 'gu'],
  ['Gurmukhi', 'pa'],
  ['Oriya', 'or'],
  ['Sinhala', 'si'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Georgian', 'ka'],
  ['Armenian', 'hy'],
  ['Hebrew', 'he'],
  ['Greek', 'el'],
  ['Ethiopic', 'am'],
  ['Hangul', 'ko'],
  ['Hiragana', 'ja'],
  ['Katakana', 'ja'],
  ['Han', null],
];
const PATTERNS = SCRIPTS.map(([name, language]) => ({
  name,
  language,
  letters: new RegExp(`[\\p{Script=${name}}\\p{M}]+`, 'gu'),
  first: new RegExp(`\\p{Script=${name}}`, 'u'),
}));

/** The part of a text that is written in one script. */
export interface ScriptPart {
  script: string;
  /** The one language of this script; null: several share it. */
  language: string | null;
  /** Its words, with blanks between them. */
  text: string;
  /** Of all letters of the text, 0..1. */
  share: number;
}

/** The scripts of a text, the most used first. A text without letters has none. */
export function scriptParts(text: string): ScriptPart[] {
  const found = PATTERNS.flatMap(({ name, language, letters, first }) => {
    if (!first.test(text)) return [];
    const words = (text.match(letters) ?? []).filter((word) => first.test(word));
    return [{ script: name, language, text: words.join(' '), letters: lettersIn(words) }];
  });
  const all = found.reduce((sum, part) => sum + part.letters, 0);
  return found
    .map(({ letters, ...part }) => ({ ...part, share: letters / all }))
    .sort((a, b) => b.share - a.share);
}

function lettersIn(words: string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}
