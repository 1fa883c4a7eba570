import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundSection } from '@casefile/contracts';

/** Longest query that is read, in characters, and the most words of it that are searched. */
const QUERY_CHARACTERS = 200;
const QUERY_WORDS = 8;
/** Most sections that a search returns. */
const MOST_SECTIONS = 20;
/** Characters of the text before the first searched word, and of the whole excerpt. */
const BEFORE_CHARACTERS = 60;
const EXCERPT_CHARACTERS = 200;
/** Points of a section per searched word, by the place of the word; and for the words in the order of the query. */
const POINTS = { title: 6, heading: 5, text: 1, phrase: 4 };
/** Points of pages that state reasons or results. Guides and reference with the same words come first. */
const POINTS_OF_FOLDER: Record<string, number> = { decisions: -6, results: -6 };

/** A section of a page, from one heading to the next, with its words as `searchable` returns them. */
export interface Section extends Omit<FoundSection, 'excerpt'> {
  text: string;
  words: { title: string; heading: string; text: string };
}

/** Reads all pages below a folder and returns their sections, by the name of the file. */
export function sectionsBelow(folder: string): Section[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.startsWith('.'))
    .toSorted()
    .flatMap((file) => sectionsOf(file, readFileSync(join(folder, file), 'utf8')));
}

/** Returns the sections of a page: one per heading of level 2 or 3, and per entry of the glossary. */
export function sectionsOf(file: string, page: string): Section[] {
  const [, title = file] = /^# (.+)$/m.exec(page) ?? [];
  const parts: { heading: string | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  let isCode = false;
  for (const line of withoutFrontMatter(page).split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : beginning(file, line);
    if (heading !== undefined) parts.push({ heading, lines: [] });
    if (!line.startsWith('#') && !line.startsWith('```')) parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ heading, lines }) => {
    const text = plainText(lines.join('\n'));
    const words = {
      title: searchable(title),
      heading: searchable(heading ?? ''),
      text: searchable(text),
    };
    return { file, title, heading, text, words };
  });
}

/**
 * Returns the sections that contain every word of the query, best first, at most 20. A word of the query also finds longer words
 * that begin with it.
 */
export function searchSections(sections: readonly Section[], query: string): FoundSection[] {
  const words = searchable(query.slice(0, QUERY_CHARACTERS)).trim().split(' ').slice(0, QUERY_WORDS);
  const starts = words.filter((word) => word !== '').map((word) => ` ${withoutPlural(word)}`);
  if (starts.length === 0) return [];
  return sections
    .map((section) => ({ section, points: pointsOf(section, starts) }))
    .filter(({ points }) => points !== null)
    .toSorted((a, b) => Number(b.points) - Number(a.points))
    .slice(0, MOST_SECTIONS)
    .map(({ section: { file, title, heading, text } }) => ({
      file,
      title,
      heading,
      excerpt: excerptOf(text, starts),
    }));
}

/** Returns the points of a section for words that begin as `starts`; null: the section lacks one of them. */
function pointsOf({ file, words }: Section, starts: readonly string[]): number | null {
  let points = POINTS_OF_FOLDER[file.split('/', 1)[0] ?? ''] ?? 0;
  for (const start of starts) {
    const inTitle = words.title.includes(start);
    const inHeading = words.heading.includes(start);
    const inText = words.text.includes(start);
    if (!inTitle && !inHeading && !inText) return null;
    points +=
      Number(inTitle) * POINTS.title + Number(inHeading) * POINTS.heading + Number(inText) * POINTS.text;
  }
  const phrase = starts.join('');
  const hasPhrase = words.heading.includes(phrase) || words.text.includes(phrase);
  return points + (starts.length > 1 && hasPhrase ? POINTS.phrase : 0);
}

/** Returns the heading that a line begins; undefined: it begins none. An entry of the glossary is a row of a table. */
function beginning(file: string, line: string): string | undefined {
  const entry = file === 'reference/glossary.md' ? /^\| \*\*([^*]+)\*\*/.exec(line) : null;
  return (/^###? (.+)$/.exec(line) ?? entry)?.[1];
}

function withoutFrontMatter(page: string): string {
  return page.startsWith('---\n') ? page.slice(page.indexOf('\n---\n') + 5) : page;
}

/** Returns the words of a text in lower case, each after a space. */
function searchable(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ` ${word}`).join('');
}

function withoutPlural(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

/** Returns Markdown as text: links by their words, tables and lists without their marks. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\][]{1,300})\]\([^()\s]{1,300}\)/g, '$1')
    .replace(/^\|[-|: ]+\|$/gm, '')
    .replace(/^[-|>]\s/gm, '')
    .replace(/[*`]/g, '')
    .replace(/\|/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the part of a text around the first word that begins as one of `starts`. */
function excerptOf(text: string, starts: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = starts
    .map((start) => (lower.includes(start) ? lower.indexOf(start) : lower.indexOf(start.trim())))
    .filter((place) => place >= 0);
  const first = Math.max(Math.min(...places, lower.length) - BEFORE_CHARACTERS, 0);
  const from = places.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const part = text.slice(from, from + EXCERPT_CHARACTERS);
  return `${from > 0 ? '… ' : ''}${part}${from + EXCERPT_CHARACTERS < text.length ? ' …' : ''}`;
}
