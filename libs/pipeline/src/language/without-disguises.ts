import { confusablesMap } from 'confusables';
import { withoutHidden } from '../entities/hidden-characters.js';

/** UTF-16 units of a message that are looked at; hidden characters in front of it must not push it out of sight. */
const LOOKED_AT = 20_000;
/** Letters that are drawn like Latin ones in every common typeface, in Cyrillic and in Greek. */
const SAME_SHAPE = new Set('асеһіјӏоԁԛрѕухԝАВЕԌНІЈКМОРԚЅТУХԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυϲϳ');
const WORD = /[\p{L}\p{M}\p{N}]{2,}/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOK_ALIKE_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** At least three single letters with the same sign between them. More blanks separate words. */
const APART =
  /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]\p{M}*([ ._-])[\p{L}\p{N}]\p{M}*(?:\1[\p{L}\p{N}]\p{M}*)+(?![\p{L}\p{M}\p{N}])/gu;
/** Abbreviations ("U.S.A") are written so as well, and numbers: from so many letters on it is a disguise. */
const APART_ON_PURPOSE = 4;

/** What a message says to its reader, and by what it was disguised. */
export interface Undisguised {
  text: string;
  notes: string[];
}

/**
 * The words of a message as its reader sees them: hidden characters taken out, letters of other scripts that stand in for
 * Latin ones put back, words whose letters stand apart put together. For telling its language and looking it up; the
 * message itself stays as it came. S3-01.
 */
export function withoutDisguises(message: string): Undisguised {
  const plain = withoutHidden(message.slice(0, LOOKED_AT)).text.normalize('NFKC').slice(0, LOOKED_AT);
  let apart = 0;
  const joined = plain.replace(APART, (found, between: string) => {
    const word = found.replaceAll(between, '');
    if (lettersOf(word, /\p{L}/u) >= APART_ON_PURPOSE) apart += 1;
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
  const isLatinText = lettersOf(text, LATIN) > lettersOf(text, LOOK_ALIKE_SCRIPTS);
  let count = 0;
  const plain = text.replace(WORD, (word) => {
    if (!LOOK_ALIKE_SCRIPTS.test(word) || !isDisguised(word, isLatinText)) return word;
    count += 1;
    return latinOf(word);
  });
  return { text: plain, count };
}

// A word of two scripts is disguised where it is mostly Latin, or where what is not looks just like it. A word that is
// wholly of look-alikes ("рау") is one only among Latin words: elsewhere it is a word of its own script.
function isDisguised(word: string, isLatinText: boolean): boolean {
  const foreign = Array.from(word).filter((letter) => LOOK_ALIKE_SCRIPTS.test(letter));
  const looksLatin = foreign.every((letter) => SAME_SHAPE.has(letter));
  if (!LATIN.test(word)) return isLatinText && looksLatin;
  return looksLatin || lettersOf(word, LATIN) > foreign.length;
}

function latinOf(word: string): string {
  return Array.from(word, (letter) =>
    LOOK_ALIKE_SCRIPTS.test(letter) ? (confusablesMap.get(letter) ?? letter) : letter,
  ).join('');
}

function lettersOf(text: string, script: RegExp): number {
  return text.match(new RegExp(script, 'gu'))?.length ?? 0;
}
