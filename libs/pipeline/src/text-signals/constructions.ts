import { WEIGHTS, type Lexicon, type Strength } from './kinds.js';
import { foldedFor } from './tokens.js';

/** One construction, ready to be looked for. */
export interface Construction<K extends string> {
  kind: K;
  weight: number;
  pattern: RegExp;
}

const GAP = 3;
const SIGNS: Record<string, string> = {
  $: '(?:MONEY|NUM)',
  '#': '(?:MONEY|NUM|DIGIT)',
  NAME: String.raw`[^ .^]+\^`,
};
/** After the last word of an element: a mark that it is a name, and the blank. */
const AFTER = String.raw`\^? `;

/** Every construction of one part of a lexicon. Each repeat is bounded: time is linear in the text. */
export function constructionsOf<K extends string>(
  { language, families }: Lexicon,
  groups: Partial<Record<K, Partial<Record<Strength, string>>>>,
): Construction<K>[] {
  const entries = Object.entries(groups) as [K, Partial<Record<Strength, string>>][];
  return entries.flatMap(([kind, byStrength]) =>
    (Object.entries(byStrength) as [Strength, string][]).flatMap(([strength, lines]) =>
      linesOf(lines).map((line) => ({ kind, weight: WEIGHTS[strength], pattern: patternOf(line) })),
    ),
  );

  function patternOf(line: string): RegExp {
    const [first, ...others] = line.split(/\s+/);
    const isAtStart = first === 'START';
    const elements = isAtStart ? others : [first ?? '', ...others];
    return new RegExp((isAtStart ? '(?<=^ )' : '(?<= )') + elements.map(elementFor).join(''), 'u');
  }

  function elementFor(element: string): string {
    const [, gap] = /^~(\d*)$/.exec(element) ?? [];
    if (gap !== undefined) return `(?:[^ .]+ ){0,${gap === '' ? GAP : gap}}?`;
    if (element === 'END') return String.raw`(?:\. |$)`;
    if (element.startsWith('!')) return `(?!${alternativesOf(element.slice(1))}${AFTER})`;
    if (element.startsWith('?')) return `(?:${alternativesOf(element.slice(1))}${AFTER})?`;
    return alternativesOf(element) + (element === 'NAME' ? ' ' : AFTER);
  }

  function alternativesOf(element: string): string {
    return `(?:${element.split('/').flatMap(wordsOf).join('|')})`;
  }

  function wordsOf(alternative: string): string[] {
    const sign = SIGNS[alternative];
    if (sign !== undefined) return [sign];
    if (!alternative.startsWith('@')) return [wordOf(alternative)];
    const family = families[alternative.slice(1)];
    if (family === undefined) throw new Error(`the lexicon ${language} has no family ${alternative}`);
    return family.trim().split(/\s+/).map(wordOf);
  }

  // `credit_card` is two words; `block*` any ending.
  function wordOf(word: string): string {
    const isStem = word.endsWith('*');
    const parts = (isStem ? word.slice(0, -1) : word).split('_').map((part) => foldedFor(language, part));
    return parts.join(AFTER) + (isStem ? '[^ .]*?' : '');
  }
}

/** The lines of a group that hold a construction. */
export function linesOf(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
