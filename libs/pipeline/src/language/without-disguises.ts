import type { Extraction } from '../parts/from-text.js';
import { confusablesMap } from 'confusables';

/** Zero-width and joiner characters, soft hyphen, bidi controls and tag characters, which are invisible. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u206a-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/**
 * Characters without a legitimate use between Latin letters, digits and dots. Elsewhere, Indic scripts and
 * emoji need joiners.
 */
const IN_WORD = /(?<=[a-z0-9.@:/])[\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff]+(?=[a-z0-9.@:/])/giu;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/gu;
const TAGS = /[\u{e0020}-\u{e007e}]+/gu;
/** Flags of parts of countries, which consist of a black flag and a few tag characters. */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f}/gu;

/**
 * Removes invisible characters, with a note for each kind that hid something. `hidden` spells out tag
 * characters.
 */
export function withoutHidden(text: string): { text: string; hidden: string; notes: Extraction['notes'] } {
  const noFlags = text.replace(FLAG, '');
  const hidden = (noFlags.match(TAGS) ?? []).map(spelledOut).join(' ');
  const inWord = (text.match(IN_WORD) ?? []).length;
  const bidi = (text.match(BIDI) ?? []).length;
  const notes = [
    ...(inWord > 0 ? [`Zero-width characters were hidden inside words: ${inWord}.`] : []),
    ...(bidi > 0 ? [`Characters that turn the reading direction were found (${bidi}).`] : []),
    ...(hidden === '' ? [] : [`Invisible tag characters spell: "${hidden.slice(0, 200)}"`]),
  ];
  return { text: noFlags.replace(INVISIBLE, ''), hidden, notes };
}

/** Makes characters that hide things visible, for prompts and reports. */
export function markHidden(text: string): string {
  const mark = (character: string) =>
    Array.from(
      character,
      (c) => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    ).join('');
  return text.replace(IN_WORD, mark).replace(BIDI, mark).replace(TAGS, mark);
}

function spelledOut(tags: string): string {
  return Array.from(tags, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) - 0xe0000)).join('');
}

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
interface UndisguisedText {
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
