import {
  checkVersion,
  securitySentences,
  textSections,
  type Prompt,
  type PromptText,
} from '../prompts/prompt.js';

/** Requirements for a proposed text. */
export interface CandidateWorld {
  prompt: Prompt;
  /** The shipped text. */
  shipped: string;
  /** The text that it was made from. */
  parent: string;
  /** Texts of the training cases. */
  training: readonly string[];
}

/** Words in a row that a candidate may not share with a training case. */
const COPIED_WORDS = 5;
/** Longest growth over the parent, in characters. Each character is paid for in every call. */
const MOST_GROWTH = 4_000;

/** Words of a sentence on the fence, on instructions, or on the form of the answer. */
const PROTECTED = new Set(
  `data fence fenced fences mark marks marker markers block blocks delimiter delimiters instruction instructions command
  commands rule rules stranger strangers sender senders security injection untrusted 指令 指示 规则 标记 数据`.split(
    /\s+/,
  ),
);
/** Words that can lift a rule. */
const LIFTING = new Set(
  `ignore ignored ignores disregard disregarded forget skip skipped omit override overrides overridden overrule except
  exception exceptions unless despite follow followed follows obey obeyed comply execute trust trusted believe instead
  longer never not need optional may allowed can without drop replace replaced remove removed outdated cancel cancelled
  lifted suspended suspend relax relaxed obsolete void waived waive authoritative authorised authorized genuine
  忽略 无视 遵循 执行 听从 相信 不再 除非`.split(/\s+/),
);
/** Words of sentences on the form of the answer. */
const ON_FORM = new Set('json schema schemas field fields property properties yaml xml markdown'.split(' '));

/**
 * Returns why a proposed text is refused, or null. A candidate must read like a version that a person adds (sections,
 * placeholders, security sentences of the shipped text), keep each sentence of its parent that protects these, add no
 * sentence that could lift one or that names a site or a sender, and copy no five words in a row from a training case.
 */
export function checkCandidate(
  text: string,
  world: CandidateWorld,
): { text: PromptText } | { refused: string } {
  const { prompt, shipped, parent, training } = world;
  const read = checkVersion(prompt, text, shipped);
  if ('problems' in read) return { refused: read.problems.join('; ') };
  const { source } = read.text;
  const hidden = HIDDEN.exec(source);
  if (hidden !== null)
    return { refused: `the text has the invisible character U+${hexadecimal(hidden[0])}: leave it out` };
  if (source.length > parent.length + MOST_GROWTH)
    return { refused: `expected at most ${MOST_GROWTH} characters more than the parent text` };
  const refused =
    changedSchema(source, parent) ??
    findWeakened(source, world) ??
    copiedFrom(source, parent, training) ??
    namedIn(source, parent) ??
    null;
  return refused === null ? { text: read.text } : { refused };
}

/** Characters that no reader of a text sees. Line ends and tabs are allowed. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}]/u;
const hexadecimal = (sign: string): string =>
  sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/** Lines of a section that names `{{schema}}`, or that describe a field of the answer, must stay. */
function changedSchema(source: string, parent: string): string | null {
  const bodies = new Map(textSections(source).map(({ name, body }) => [name, body]));
  for (const { name, body } of textSections(parent)) {
    const now = bodies.get(name) ?? '';
    const isOnSchema = body.includes('{{schema}}');
    for (const line of body.split('\n').map((one) => one.trim()))
      if (line !== '' && (isOnSchema || line.includes('{{')) && !now.includes(line))
        return `section ${name}: the line on the form of the answer or on a value must stay: ${line}`;
    const [before, after] = [quotedNames(body), quotedNames(now)];
    const changed = after.find((one) => !before.includes(one));
    if (isOnSchema && changed !== undefined)
      return `section ${name}: the form of the answer may not change: ${changed} is new`;
  }
  return null;
}

/** Returns quoted or backquoted words, and words before a colon at the start of a list item: the fields of an answer. */
function quotedNames(body: string): string[] {
  return body.match(/"[\w-]{1,64}"|`[\w.-]{1,64}`|^- [\w-]{1,64}(?=:)|[{}[\]]/gm) ?? [];
}

function findWeakened(source: string, { prompt, shipped, parent }: CandidateWorld): string | null {
  const kept = new Set(securitySentences(prompt, shipped).map(({ sentence }) => sentence));
  const known = new Set(sentencesOf(parent));
  const now = sentencesOf(source);
  const isNow = new Set(now);
  for (const sentence of sentencesOf(parent).filter((one) => !isNow.has(one))) {
    const words = wordsOf(sentence);
    if (kept.has(sentence) || FENCE.test(sentence) || words.some((word) => STRANGE.has(word)))
      return `a security sentence is missing or changed: ${sentence}`;
    if (words.some((word) => ON_FORM.has(word)))
      return `a sentence on the form of the answer is missing or changed: ${sentence}`;
  }
  for (const sentence of now) {
    if (known.has(sentence)) continue;
    if (FENCE.test(sentence)) return `a new sentence names the marks of the fence: ${sentence}`;
    const words = wordsOf(sentence);
    const form = words.find((word) => ON_FORM.has(word));
    if (form !== undefined) return `a new sentence is on the form of the answer ("${form}"): ${sentence}`;
    const [protectedWord, lifting] = [
      words.find((word) => PROTECTED.has(word)),
      words.find((word) => LIFTING.has(word)),
    ];
    if (protectedWord !== undefined && lifting !== undefined)
      return `a new sentence could weaken a security sentence ("${lifting}" with "${protectedWord}"): ${sentence}`;
  }
  return null;
}

function namedIn(source: string, parent: string): string | null {
  for (const sentence of addedSentences(source, parent)) {
    const reason = foreignIn(sentence, parent);
    if (reason !== null) return reason;
  }
  return null;
}

const FENCE = /<<<|>>>/;
/** Words that mark a sentence of the parent as one on text from outside. */
const STRANGE = new Set(['strangers', 'stranger', 'untrusted', 'instruction', 'instructions']);

function copiedFrom(source: string, parent: string, training: readonly string[]): string | null {
  const known = new Set(wordRuns(wordsOf(parent)));
  const own = new Set(wordRuns(wordsOf(source)).filter((run) => !known.has(run)));
  if (own.size === 0) return null;
  for (const text of training) {
    const copied = wordRuns(wordsOf(text)).find((run) => own.has(run));
    if (copied !== undefined) return `the text copies words of a training case: "${copied}"`;
  }
  return null;
}

function wordRuns(words: readonly string[]): string[] {
  const runs: string[] = [];
  for (let at = 0; at + COPIED_WORDS <= words.length; at += 1)
    runs.push(words.slice(at, at + COPIED_WORDS).join(' '));
  return runs;
}

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Longest piece that is segmented in one call: the segmenter needs more time per character for long texts. */
const PIECE = 10_000;

/** Returns the words in lower case, without accents, so that spelling alone does not hide a copy. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length; at += PIECE)
    for (const { segment, isWordLike } of WORDS.segment(text.slice(at, at + PIECE)))
      if (isWordLike === true) words.push(segment.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
  return words;
}

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
