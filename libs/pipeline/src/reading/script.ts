/** Runs of Han characters. */
export const HAN_RUN = /\p{Script=Han}+/gu;
const HAN = /\p{Script=Han}/u;
/**
 * A letter of a script that writes no blanks between words, or attaches particles to them, so that a phrase or a
 * figure may be inside a word. For patterns.
 */
export const UNSPACED_LETTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`;
const COUNTED = {
  han: /\p{Script=Han}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}/gu,
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
};
type Script = keyof typeof COUNTED;
/** Share of kana or hangul among East Asian letters below which they are a name in a Chinese text. */
const LEAST_SHARE = 0.1;

/** Returns whether a text has a Han character. */
export const hasHan = (text: string): boolean => HAN.test(text);
/** Returns the number of matches of a global pattern. */
export const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
/** Returns the number of letters of a text in each script. */
export const countScripts = (text: string): Record<Script, number> =>
  Object.fromEntries(
    Object.entries(COUNTED).map(([script, letters]) => [script, countOf(text, letters)]),
  ) as Record<Script, number>;

/** Returns the language of the East Asian letters of a text; null: it has none. */
export function eastAsianLanguage({ han, kana, hangul }: Record<'han' | 'kana' | 'hangul', number>) {
  const all = han + kana + hangul;
  if (all === 0) return null;
  if (kana >= LEAST_SHARE * all) return 'ja';
  return hangul >= LEAST_SHARE * all ? 'ko' : 'zh';
}

/** Returns the script with the most letters in a text; null: it has no letter of these scripts. */
export function mainScript(text: string): Script | null {
  const [script, letters] = Object.entries(countScripts(text)).reduce((best, one) =>
    one[1] > best[1] ? one : best,
  );
  return letters === 0 ? null : (script as Script);
}

/**
 * Returns a text in one form for comparing names: width and case are unified, 台 and 臺 are equal. The length
 * stays the same if possible.
 */
export function nameText(text: string): string {
  return text.normalize('NFKC').replaceAll('臺', '台').toLowerCase();
}
