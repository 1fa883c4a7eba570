import type { EvidenceItem, Json } from '@casefile/contracts';

/** The look-up that names signs of a scam in a text, with the words of each. */
const TEXT_SIGNALS = 'text_signals';
/** Most words that are marked, and most characters of one of them. */
const MOST_WORDS = 60;
const LONGEST = 300;

/** A part of a text. */
export interface TextPart {
  text: string;
  isMarked: boolean;
}

/** Returns the words of the text that its look-up of signs names; empty: it named none, or there was no such look-up. */
export function signWords(
  evidence: readonly Pick<EvidenceItem, 'toolName' | 'success' | 'given' | 'result'>[],
): string[] {
  const words = evidence
    .filter(({ toolName, success, given }) => toolName === TEXT_SIGNALS && success && given !== true)
    .flatMap(({ result }) => listIn(result, 'signals'))
    .flatMap((signal) => listIn(signal, 'words'))
    .filter((word) => typeof word === 'string' && word.trim() !== '' && word.length <= LONGEST);
  return [...new Set(words as string[])].slice(0, MOST_WORDS);
}

function listIn(value: Json | undefined, field: string): Json[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const list = value[field];
  return Array.isArray(list) ? list : [];
}

/** Splits a text into parts; the first place of each word is marked, whatever its case. */
export function markedParts(text: string, words: readonly string[]): TextPart[] {
  const folded = text.toLowerCase();
  // Where lower case has another length, positions in it are none in the text.
  const searched = folded.length === text.length ? folded : text;
  const ranges = words
    .map((word) => ({ from: searched.indexOf(word.toLowerCase()), length: word.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from || b.length - a.length);
  const parts: TextPart[] = [];
  let at = 0;
  for (const { from, length } of ranges) {
    const end = from + length;
    if (end <= at) continue;
    const start = Math.max(from, at);
    if (start > at) parts.push({ text: text.slice(at, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}
