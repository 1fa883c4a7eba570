import { figuresIn, type Figure } from './figures.js';

/**
 * Language of a text, as far as it matters for comparing words. `latin`: a language in Latin letters other
 * than English.
 */
export type Writing = 'zh' | 'ja' | 'ko' | 'en' | 'latin' | 'other';

/** Number of UTF-16 units that are read. */
const READ = 4_000;
/** Share of kana or hangul among East Asian letters from which a text is not Chinese with a foreign name. */
const LEAST_SHARE = 0.1;

/**
 * Returns the language of a text, by its script and its function words.
 * @param latin Language of a text in Latin letters. Default: detected from the text, which fails for a single
 * sentence.
 */
export function detectWriting(text: string, latin = latinLanguage(text)): Writing {
  const read = text.slice(0, READ);
  const han = countOf(read, /\p{Script=Han}/gu);
  const kana = countOf(read, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = countOf(read, /\p{Script=Hangul}/gu);
  const east = han + kana + hangul;
  const words = countOf(read, /\p{Script=Latin}+/gu);
  const letters = countOf(read, /\p{L}/gu);
  // Chinese writes no blanks, so its number of characters is compared with the number of words.
  if (east > words) {
    if (kana >= LEAST_SHARE * east) return 'ja';
    return hangul >= LEAST_SHARE * east ? 'ko' : 'zh';
  }
  const inLatin = countOf(read, /\p{Script=Latin}/gu);
  return letters === 0 || inLatin * 2 >= letters ? latin : 'other';
}

const ENGLISH = new Set(
  'the of and is are was were in to for that by on with from not no it its has have had said as at be been this which their or but after than will would'.split(
    ' ',
  ),
);
/** Function words of other languages in Latin letters that are not English words. */
const OTHERS = new Set(
  (
    'der die das und ist nicht ein eine für von den dem auf mit sich wird wurde wurden des im zum zur über bei nach keine ' +
    'el la los las del que y es un una por con para no se su ha fue como más pero sobre según ' +
    'le les et est une pour dans sur pas au aux du des il elle sont été selon ' +
    'il di che è per non con della dei delle sono nel gli alla ' +
    'de het een van en niet dat zijn voor met op te aan ' +
    'och att det som på är av inte till den har ett med ' +
    'og ikke er til av på ja on ei että oli joka ' +
    'nie w się na że jest z do po przez oraz ' +
    'o a os as um uma não em da do das dos foi são ' +
    've bir bu için ile değil olan da ' +
    'và là của có không được trong ' +
    'dan yang di tidak untuk dengan pada dari adalah'
  ).split(' '),
);

/** Returns whether a text in Latin letters is English, by its function words. Default: English. */
function latinLanguage(text: string): 'en' | 'latin' {
  const words =
    text
      .slice(0, READ)
      .toLowerCase()
      .match(/\p{Script=Latin}+/gu) ?? [];
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const others = words.filter((word) => OTHERS.has(word) && !ENGLISH.has(word)).length;
  const marked = words.filter((word) => /[^a-z]/.test(word)).length;
  return others + marked >= 2 && others + marked > english ? 'latin' : 'en';
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns a text of another language in Latin letters with its numbers written as in English: `12.400,5` as 12400.5. */
export function withPointNumbers(text: string): string {
  return text
    .replace(/(?<![\d.,])\d{1,3}(?:[.\u00a0\u202f]\d{3}){1,5}(?![\d.])/gu, (said) =>
      said.replace(/[^\d]/g, ''),
    )
    .replace(/(?<=\d),(?=\d{1,2}(?!\d))/gu, '.');
}

/** Returns the figures of a text whose numbers are written with commas for points. */
export const pointFiguresIn = (text: string): Figure[] => figuresIn(withPointNumbers(text.normalize('NFKC')));
