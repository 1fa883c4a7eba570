/** Longest piece that is segmented in one call: the segmenter needs more time per character for long texts. */
const PIECE = 10_000;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Returns the sentences of a prompt in their order, without numbers and dashes of lists. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => [...SENTENCES.segment(line.slice(0, PIECE))].map(({ segment }) => segment))
    .map((sentence) => sentence.replace(/^\s*(?:\d{1,3}\.|-)\s+/, '').trim())
    .filter((sentence) => sentence !== '');
}

/** Returns the sentences of a text that another text does not have, in their order and each once. */
export function addedSentences(text: string, parent: string): string[] {
  const known = new Set(sentencesOf(parent));
  return [...new Set(sentencesOf(text))].filter((sentence) => !known.has(sentence));
}

/** Names of senders, sites or brands in a sentence: rules for one of them cost nothing on held-out cases. */
const NAMED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a URL', /[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\./giu],
  ['an address', /@[\p{L}\p{N}]/gu],
  ['a domain', /[\p{L}\p{N}-]{2,63}(?:\.|\[\.\]|\(\.\)|\[dot\]|\(dot\))\p{L}{2,24}(?![\p{L}\p{N}])/giu],
  [
    'quoted text',
    /"[^"\n]{1,200}"|`[^`\n]{1,200}`|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」/gu,
  ],
  ['quoted text', /(?<![\p{L}\p{N}])['‘][^'’\n]{1,200}['’](?![\p{L}\p{N}])/gu],
];

/** Scripts whose letters look like those of another one. Chinese, Japanese and Korean are mixed with Latin as usual. */
const SCRIPTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
];
/** Letters with a form for another use, such as 𝐚 or ａ, which readers take for the usual ones. */
const LETTERS = /\p{L}/gu;

/**
 * Returns why an added sentence is refused, or null. It may name no URL, address, domain or quoted text that its parent
 * does not name, and may not mix scripts.
 */
export function foreignIn(sentence: string, parent: string): string | null {
  for (const [what, pattern] of NAMED) {
    const addedName = (sentence.match(pattern) ?? []).find((name) => !parent.includes(name));
    if (addedName !== undefined) return `a new sentence names ${what} ("${addedName}"): ${sentence}`;
  }
  const scripts = SCRIPTS.filter(([, pattern]) => pattern.test(sentence)).map(([name]) => name);
  if (scripts.length > 1) return `a new sentence mixes scripts (${scripts.join(' and ')}): ${sentence}`;
  const styled = (sentence.match(LETTERS) ?? []).find((letter) => letter.normalize('NFKC') !== letter);
  return styled === undefined ? null : `a new sentence has an unusual letter (${styled}): ${sentence}`;
}
