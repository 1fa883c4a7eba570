import { confusablesMap } from 'confusables';
import { withoutHidden } from '../entities/hidden-characters.js';

/**
 * UTF-16 units of a message that are examined; enough that hidden characters at its beginning cannot displace
 * it.
 */
const EXAMINED = 20_000;
/** Cyrillic and Greek letters that look like Latin letters in every common typeface. */
const SAME_SHAPE = new Set('асеһіјӏоԁԛрѕухԝАВЕԌНІЈКМОРԚЅТУХԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυϲϳ');
const WORD = /[\p{L}\p{M}\p{N}]{2,}/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOK_ALIKE_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** At least three single letters with the same sign between them. More blanks separate words. */
const APART =
  /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]\p{M}*([ ._-])[\p{L}\p{N}]\p{M}*(?:\1[\p{L}\p{N}]\p{M}*)+(?![\p{L}\p{M}\p{N}])/gu;
/** Letters from which the spacing is a disguise; abbreviations ("U.S.A") and numbers have fewer. */
const APART_ON_PURPOSE = 4;

/** Text of a message as its reader sees it, and the kinds of disguise. */
export interface UndisguisedText {
  text: string;
  notes: string[];
}

/**
 * Removes disguises from a message: hidden characters are removed, look-alike letters replaced by Latin ones,
 * and spaced-out words joined. Used to detect the language and to query; the message itself stays unchanged.
 */
export function withoutDisguises(message: string): UndisguisedText {
  const plain = withoutHidden(message.slice(0, EXAMINED)).text.normalize('NFKC').slice(0, EXAMINED);
  let apart = 0;
  const joined = plain.replace(APART, (spaced, between: string) => {
    const word = spaced.replaceAll(between, '');
    if (textLetters(word, /\p{L}/u) >= APART_ON_PURPOSE) apart += 1;
    return word;
  });
  const { text, count } = withoutLookAlikes(joined);
  return {
    text,
    notes: [
      ...(apart === 0 ? [] : ['Words were written with their letters apart.']),
      ...(count === 0 ? [] : [`Letters of another script stand in for Latin ones in words: ${count}.`]),
    ],
  };
}

function withoutLookAlikes(text: string): { text: string; count: number } {
  if (!LATIN.test(text) || !LOOK_ALIKE_SCRIPTS.test(text)) return { text, count: 0 };
  const isLatinText = textLetters(text, LATIN) > textLetters(text, LOOK_ALIKE_SCRIPTS);
  let count = 0;
  const plain = text.replace(WORD, (word) => {
    if (!LOOK_ALIKE_SCRIPTS.test(word) || !isDisguised(word, isLatinText)) return word;
    count += 1;
    return wordLatin(word);
  });
  return { text: plain, count };
}

// A word of two scripts is disguised if it is mostly Latin, or if its other letters look exactly like Latin
// ones. A word of look-alikes only ("рау") is disguised only among Latin words; elsewhere it is a word of its
// own script.
function isDisguised(word: string, isLatinText: boolean): boolean {
  const foreign = Array.from(word).filter((letter) => LOOK_ALIKE_SCRIPTS.test(letter));
  const looksLatin = foreign.every((letter) => SAME_SHAPE.has(letter));
  if (!LATIN.test(word)) return isLatinText && looksLatin;
  return looksLatin || textLetters(word, LATIN) > foreign.length;
}

function wordLatin(word: string): string {
  return Array.from(word, (letter) =>
    LOOK_ALIKE_SCRIPTS.test(letter) ? (confusablesMap.get(letter) ?? letter) : letter,
  ).join('');
}

function textLetters(text: string, script: RegExp): number {
  return text.match(new RegExp(script, 'gu'))?.length ?? 0;
}
