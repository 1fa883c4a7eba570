/** Devanagari consonants as typed in Latin letters; a nukta is removed before (क़ is क). */
const CONSONANTS: Record<string, string> = {
  क: 'k',
  ख: 'kh',
  ग: 'g',
  घ: 'gh',
  ङ: 'n',
  च: 'ch',
  छ: 'ch',
  ज: 'j',
  झ: 'jh',
  ञ: 'n',
  ट: 't',
  ठ: 'th',
  ड: 'd',
  ढ: 'dh',
  ण: 'n',
  त: 't',
  थ: 'th',
  द: 'd',
  ध: 'dh',
  न: 'n',
  प: 'p',
  फ: 'f',
  ब: 'b',
  भ: 'bh',
  म: 'm',
  य: 'y',
  र: 'r',
  ल: 'l',
  ळ: 'l',
  व: 'v',
  श: 's',
  ष: 's',
  स: 's',
  ह: 'h',
};
const VOWELS: Record<string, string> = {
  अ: 'a',
  आ: 'a',
  इ: 'i',
  ई: 'i',
  उ: 'u',
  ऊ: 'u',
  ऋ: 'ri',
  ए: 'e',
  ऐ: 'ai',
  ओ: 'o',
  औ: 'au',
  ऑ: 'o',
  ऍ: 'e',
};
const VOWEL_SIGNS: Record<string, string> = {
  '\u093e': 'a',
  '\u093f': 'i',
  '\u0940': 'i',
  '\u0941': 'u',
  '\u0942': 'u',
  '\u0943': 'ri',
  '\u0947': 'e',
  '\u0948': 'ai',
  '\u094b': 'o',
  '\u094c': 'au',
  '\u0949': 'o',
  '\u0945': 'e',
};
const VIRAMA = '\u094d';
const NASALS = new Set(['\u0901', '\u0902']);

/** Letter names that Hindi spells out and that a transliteration would not convert back to Latin letters. */
const ABBREVIATIONS: Record<string, string> = {
  ओटीपी: 'otp',
  यूपीआई: 'upi',
  केवाईसी: 'kyc',
  एटीएम: 'atm',
  सीबीआई: 'cbi',
  एसएमएस: 'sms',
  एपीके: 'apk',
  ईएमआई: 'emi',
  आरबीआई: 'rbi',
  एफआईआर: 'fir',
  पैन: 'pan',
  ईडी: 'ed',
};

/** Spellings of one sound in typed Hindi and in English loan words; applied in this order. */
const SAME_SOUND: readonly [RegExp, string][] = [
  ...([
    [/(?:ch)+h?/g, 'ch'],
    [/ph/g, 'f'],
    [/ck/g, 'k'],
    [/c(?=[eiy])/g, 's'],
    [/c(?!h)/g, 'k'],
    [/q/g, 'k'],
    [/x/g, 'ks'],
    [/w/g, 'v'],
    [/z/g, 'j'],
    [/sh/g, 's'],
    [/e{2,}/g, 'i'],
    [/o{2,}/g, 'u'],
    [/([a-z])\1+/g, '$1'],
    [/ai|ay(?=[^aeiou]|$)|e[iy]/g, 'e'],
    [/au|o[uw]/g, 'o'],
    [/y$/, 'i'],
    [/(?<=.)y(?=[aeiou])/g, ''],
    // "mein" and "me", "hoon" and "hu": a nasal vowel at the end is written with and without its n.
    [/([aeiou])n$/, '$1'],
    [/m(?=[pb])/g, 'n'],
    // "karna" and "krna", and the vowel that Devanagari does not write; a vowel at the beginning is kept.
    [/(?<=.)a/g, ''],
  ] satisfies [RegExp, string][]),
];

/**
 * Folds a word by its sound, so that spellings of one word become equal: "khaata", "khata" and "खाता" all
 * become "kht". Devanagari is transliterated. Then vowels and letters with several spellings in typed Hindi
 * are unified. The same rules apply to English words, so that loan words match. Words of other scripts only
 * lose their accents.
 */
export function foldSpelling(word: string): string {
  const plain = word
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u093c]/g, '')
    .normalize('NFC');
  const latin = ABBREVIATIONS[plain] ?? inLatinLetters(plain);
  if (!/^[a-z]+$/.test(latin)) return latin;
  return SAME_SOUND.reduce((folded, [spelling, sound]) => folded.replace(spelling, sound), latin);
}

function inLatinLetters(word: string): string {
  if (!/\p{Script=Devanagari}/u.test(word)) return word;
  const letters = [...word];
  return letters.map((letter, i) => letterSound(letter, letters[i + 1])).join('');
}

function letterSound(letter: string, next: string | undefined): string {
  const consonant = CONSONANTS[letter];
  if (consonant !== undefined)
    return next === VIRAMA || (next !== undefined && next in VOWEL_SIGNS) ? consonant : `${consonant}a`;
  if (NASALS.has(letter)) return next === undefined ? '' : 'n';
  if (letter === VIRAMA || letter === '\u0903') return '';
  return VOWELS[letter] ?? VOWEL_SIGNS[letter] ?? letter;
}
