/** Spellings that stand for one sound in Hindi as people type it in Latin letters; in this order. */
const SOUNDS: readonly [RegExp, string][] = [
  [/w/g, 'v'],
  [/z/g, 'j'],
  [/ph/g, 'f'],
  [/q/g, 'k'],
  [/ee|ii/g, 'i'],
  [/oo|uu/g, 'u'],
  [/ay|ai|ei/g, 'e'],
  [/au|ou/g, 'o'],
  [/([bcdgjkpst])h/g, '$1'],
  [/y/g, 'i'],
  [/(.)\1+/g, '$1'],
];

/**
 * A word of romanised Hindi in one spelling of many: sounds that are written in several ways in one, the inherent vowel
 * left out, so that "karo" and "kro", "aapka" and "apka" are one. Words of one spelling may be two words.
 */
export function foldLatin(word: string): string {
  const sounds = SOUNDS.reduce((text, [from, to]) => text.replace(from, to), word.toLowerCase());
  return sounds.slice(0, 1) + sounds.slice(1).replaceAll('a', '');
}

/** A word in Devanagari without nukta, with one sign for nasals, and short vowel signs for long ones. */
export function foldDevanagari(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\u093c\u200c\u200d]/g, '')
    .replace(/[ङञणनम]\u094d(?=[क-ह])/g, '\u0902')
    .replaceAll('\u0901', '\u0902')
    .replaceAll('\u0940', '\u093f')
    .replaceAll('\u0942', '\u0941')
    .replaceAll('\u0949', '\u093e')
    .replaceAll('ये', 'ए')
    .replaceAll('यि', 'इ')
    .replaceAll('ई', 'इ')
    .replaceAll('ऊ', 'उ');
}
