import type { Extraction } from '../parts/from-text.js';

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
