import { createHash } from 'node:crypto';
import { LONGEST_PROMPT_VERSION, type PromptSet, sentencesIn } from '@casefile/contracts';

/** The sections of a prompt by name, each with the names of its placeholders. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** A prompt as declared in code. Its text is a file, so that it can be read and changed as text. */
export interface Prompt<S extends Sections = Sections> {
  /** Id with version: `<kind>/answer@2`. */
  id: string;
  /** The shipped text. */
  file: URL;
  sections: S;
  /** Sentences of the shipped text that every version must keep, next to those that name the fence marks. */
  keep?: readonly string[];
}

/** Values of the placeholders of each section. A section without values is left out; a list repeats it. */
type Values<S extends Sections> = {
  readonly [N in keyof S]?: Placeholders<S[N]> | readonly Placeholders<S[N]>[];
};
type Placeholders<P extends readonly string[]> = Readonly<Record<P[number], string>>;

/** The loaded text of a prompt. */
export interface PromptText<S extends Sections = Sections> {
  /** Recorded id: the prompt's id, followed by `#` and a hash if the text is not the shipped one. */
  id: string;
  /** The text with its headings and placeholders, and LF as line end. */
  source: string;
  /**
   * Renders the given sections in the order of the text, separated by an empty line. Values are inserted
   * unchanged; placeholders within them are not replaced.
   */
  render(values: Values<S>): string;
}

/** The texts of all prompts, loaded and checked at start. */
export interface PromptTexts {
  /** @throws CasefileError `bad_playbook` if no playbook declares the prompt. */
  of<S extends Sections>(prompt: Prompt<S>): PromptText<S>;
}

/** Declares a prompt; the compiler knows its sections and placeholders by name. */
export function definePrompt<const S extends Sections>(prompt: Prompt<S>): Prompt<S> {
  return prompt;
}

/** Longest text of a prompt, in UTF-16 units. */
export const LONGEST_PROMPT = LONGEST_PROMPT_VERSION;

/** Result of reading a text: the text, or sentences on its problems. */
export type ReadPrompt<S extends Sections> = { text: PromptText<S> } | { problems: string[] };

/**
 * Reads the text of a prompt and checks it against the declaration: each section once and not empty, with
 * exactly its placeholders.
 * @param source Sections, each below a line `<!-- section: name -->`; `{{name}}` is a placeholder.
 * @param shipped The shipped text, if `source` may differ; a different text adds its hash to the id.
 */
export function readPrompt<S extends Sections>(
  { id, sections: declared }: Prompt<S>,
  source: string,
  shipped: string = source,
): ReadPrompt<S> {
  if (source.length > LONGEST_PROMPT)
    return { problems: [`expected at most ${LONGEST_PROMPT} characters, found ${source.length}`] };
  const text = normal(source);
  if (text.trim() === '') return { problems: ['expected a text, found an empty file'] };
  const parts = textSections(text);
  const problems = [
    ...problemsOfNames(
      parts.map(({ name }) => name),
      declared,
    ),
    ...parts.flatMap((section) =>
      Object.hasOwn(declared, section.name) ? problemsOfSection(section, declared[section.name]!) : [],
    ),
  ];
  if (problems.length > 0) return { problems };
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const ownId = text === normal(shipped) ? id : `${id}#${hash}`;
  return { text: { id: ownId, source: text, render: renderer(parts) } };
}

/**
 * Reads a recorded text under the current declaration. A section or placeholder missing in the text is left
 * out, and an undeclared one is empty. The hash of the request shows whether the result equals the original.
 * @param id As recorded.
 */
export function keptPrompt<S extends Sections>(id: string, source: string): PromptText<S> {
  return { id, source, render: renderer(textSections(source)) };
}

function renderer<S extends Sections>(sections: readonly PromptSection[]): PromptText<S>['render'] {
  const templates = sections.map(({ name, body }) => ({ name, pieces: bodyPieces(body) }));
  return (values) =>
    templates
      .flatMap(({ name, pieces }) => {
        const value = values[name] ?? [];
        const each: readonly Record<string, string>[] = Array.isArray(value) ? value : [value];
        return each.map((one) => filledPieces(pieces, one));
      })
      .join('\n\n');
}

const SECTION = /^<!-- section: ([\w-]{1,64}) -->$/;
/** Splitting by this pattern puts the names of placeholders at odd indexes. */
const PLACEHOLDER = /\{\{([a-z]{1,64})\}\}/;
/** Text that is intended as a placeholder, even if misspelled. */
const MEANT = /\{\{\s{0,8}[\w.-]{1,64}\s{0,8}\}\}/g;

/** Returns the literal text of a section at even indexes, and the names of its placeholders at odd ones. */
export function bodyPieces(body: string): string[] {
  return body.split(PLACEHOLDER);
}

// Joins in one pass, so that a value is never split.
function filledPieces(pieces: readonly string[], values: Readonly<Record<string, string>>): string {
  return pieces.map((piece, i) => (i % 2 === 0 ? piece : (values[piece] ?? ''))).join('');
}

/** Line ends and a byte order mark do not make a text different. */
function normal(source: string): string {
  return source.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

/** A section of a text. */
export interface PromptSection {
  /** Empty: the text before the first heading. */
  name: string;
  body: string;
}

/** Returns the sections of a text in their order, trimmed. */
export function textSections(text: string): PromptSection[] {
  const parts: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  for (const line of text.split('\n')) {
    const name = SECTION.exec(line)?.[1];
    if (name === undefined) parts.at(-1)!.lines.push(line);
    else parts.push({ name, lines: [] });
  }
  const sections = parts.map(({ name, lines }) => ({ name, body: lines.join('\n').trim() }));
  return sections.filter(({ name, body }) => name !== '' || body !== '');
}

function problemsOfNames(sectionNames: readonly string[], declared: Sections): string[] {
  const names = Object.keys(declared);
  const heading = (name: string) => `<!-- section: ${name} -->`;
  return [
    ...names
      .filter((name) => !sectionNames.includes(name))
      .map((name) => `expected the section ${name}, below a line ${heading(name)}`),
    ...sectionNames
      .filter((name, i) => name !== '' && sectionNames.indexOf(name) !== i)
      .map((name) => `section ${name}: expected once, found again`),
    ...sectionNames
      .filter((name) => name !== '' && !Object.hasOwn(declared, name))
      .map((name) => `section ${name}: expected one of ${names.join(', ')}`),
    ...(sectionNames.includes('') ? [`expected no text before the first line ${heading('...')}`] : []),
  ];
}

function problemsOfSection({ name, body }: PromptSection, placeholders: readonly string[]): string[] {
  if (body === '') return [`section ${name}: expected a text, found none`];
  const wanted = placeholders.map((one) => `{{${one}}}`);
  const meant = new Set(body.match(MEANT));
  return [
    ...wanted
      .filter((one) => !meant.has(one))
      .map((one) => `section ${name}: expected the placeholder ${one}`),
    ...[...meant]
      .filter((one) => !wanted.includes(one))
      .map((one) => `section ${name}: unknown placeholder ${one}, expected ${wanted.join(', ') || 'none'}`),
  ];
}

/**
 * The texts from which a run's prompts were rendered, under the current declarations. A prompt is matched by
 * name without its version: `<kind>/answer@2` gets the text of `<kind>/answer@1`.
 * @param present Texts for prompts without a recorded one.
 */
export function keptPrompts({ prompts }: PromptSet, present: PromptTexts): PromptTexts {
  const known = new Map(prompts.map(({ id, text }) => [promptName(id), keptPrompt(id, text)]));
  return {
    of: <S extends Sections>(prompt: Prompt<S>): PromptText<S> =>
      (known.get(promptName(prompt.id)) as PromptText<S> | undefined) ?? present.of(prompt),
  };
}

/** Returns the part of a prompt's id that all its versions share: `kind/answer` of `kind/answer@2#1a2b`. */
export function promptName(id: string): string {
  const at = id.indexOf('@');
  return at < 0 ? id : id.slice(0, at);
}

/** Begins and ends the fence around text from outside. */
const FENCE_MARK = /<<<DATA|DATA \S{1,40}>>>/;
/** Number or dash before the text of a list item. */
const LIST_ITEM = /^\s*(?:\d{1,3}\.|-)\s+/;

/** A sentence that every version of a prompt must keep, and its section. */
interface SecuritySentence {
  section: string;
  sentence: string;
}

/**
 * Returns the security sentences of a shipped text: those that name the marks of the fence, and those that the
 * prompt's declaration lists under `keep`.
 */
export function securitySentences({ keep = [] }: Prompt, shipped: string): SecuritySentence[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return textSections(shipped).flatMap(({ name, body }) => {
    const lines = body.split('\n').filter((line) => FENCE_MARK.test(line));
    const onFence = lines.flatMap((line) =>
      [...sentencesIn(line.replace(LIST_ITEM, ''), segmenter)]
        .map(({ segment }) => segment.trim())
        .filter((sentence) => FENCE_MARK.test(sentence)),
    );
    const kept = keep.filter((sentence) => body.includes(sentence));
    return [...new Set([...onFence, ...kept])].map((sentence) => ({ section: name, sentence }));
  });
}

/**
 * Checks a text that a person adds as a version: sections, placeholders, and every security sentence of the
 * shipped text, literally and in its section.
 */
export function checkVersion(
  prompt: Prompt,
  source: string,
  shipped: string,
): ReadPrompt<Prompt['sections']> {
  const read = readPrompt(prompt, source, shipped);
  if ('problems' in read) return read;
  const bodies = new Map(textSections(read.text.source).map(({ name, body }) => [name, body]));
  const missing = securitySentences(prompt, shipped).filter(
    ({ section, sentence }) => bodies.get(section)?.includes(sentence) !== true,
  );
  if (missing.length === 0) return read;
  return {
    problems: missing.map(
      ({ section, sentence }) => `section ${section}: expected the security sentence, unchanged: ${sentence}`,
    ),
  };
}
