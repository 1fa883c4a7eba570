import type { AlertInput } from '../artifacts/index.js';
import { firstCharacters } from '../first-characters.js';
import type { Json } from '../json.js';
import type { ShownDisplay } from './display-schema.js';
import { valueAt, valueText } from './read-path.js';

/** Maximum number of characters of a title and of a line in lists. */
const MOST_CHARACTERS = 280;
/** Deepest level of a payload in which a title is looked for. */
const DEEPEST = 3;

type Named = Pick<AlertInput, 'text' | 'payload'>;

/**
 * Returns the title of an alert: the first value of the display's title, else the text, else the first text in the
 * payload. Empty: there is none.
 */
export function alertTitle(alert: Named, { title }: Pick<ShownDisplay, 'title'>): string {
  const [first] = textsOf(alert, title);
  return cut(first ?? anyText(alert));
}

/** Returns the line that names an alert in lists: the values of the display's line, else the title. */
export function alertLine(alert: Named, { title, line }: Pick<ShownDisplay, 'title' | 'line'>): string {
  const joined = line === null ? '' : cut(textsOf(alert, line).join(' · '));
  return joined === '' ? alertTitle(alert, { title }) : joined;
}

function textsOf(alert: Named, paths: readonly string[]): string[] {
  const facts = { alert, evidence: [], answer: {}, outcome: {} };
  return paths.flatMap((path) => valueText(valueAt(facts, path)) ?? []);
}

function anyText({ text = '', payload }: Named): string {
  return text.trim() === '' ? (firstText(payload, 0) ?? '') : text.trim();
}

function firstText(value: Json | undefined, depth: number): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  for (const one of Object.values(value)) {
    const found = firstText(one, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

const cut = (text: string): string => firstCharacters(text.trim(), MOST_CHARACTERS);
