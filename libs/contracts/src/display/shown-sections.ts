import type { Json } from '../json.js';
import type { DeclaredSection } from './display-schema.js';
import { nameInWords, valueAt, valueIn, valueText, type DisplayedCase } from './read-path.js';

// This module also runs in the browser, so it imports no schema library.

/** Most entries of a list that a section shows, and most points of a chart. */
const MOST_ENTRIES = 200;
const MOST_POINTS = 2_000;

/** A section with its values, as texts. `more`: entries of its list that are not among them. */
export type ShownSection = { title: string; more: number } & (
  | { show: 'text'; text: string }
  | { show: 'facts'; rows: { label: string; value: string }[] }
  | { show: 'badges'; words: string[] }
  | { show: 'table'; columns: string[]; rows: string[][] }
  | { show: 'chart'; names: string[]; points: { at: number; values: (number | null)[] }[] }
  | { show: 'timeline'; entries: { at: string; text: string; evidence: string | null }[] }
  | { show: 'quotes'; quotes: { words: string; evidence: string | null }[] }
  | { show: 'image' }
);

type Labelled = string | { path: string; label: string };

/** Returns the sections that have a value, in their order. */
export function shownSections(
  declared: readonly DeclaredSection[],
  of: DisplayedCase & { hasImage: boolean },
): ShownSection[] {
  return declared.flatMap((section) => shownSection(section, of) ?? []);
}

/** Returns which parts of the alert the sections show, so that a page need not show them twice. */
export function shownParts(declared: readonly DeclaredSection[]): ReadonlySet<'text' | 'image' | 'payload'> {
  const paths = declared.flatMap((section): Labelled[] => {
    if (section.show === 'image') return ['image'];
    return typeof section.of === 'string' ? [section.of] : section.of;
  });
  const roots = paths.map((one) => pathOf(one).split('.', 1)[0]);
  return new Set((['text', 'image', 'payload'] as const).filter((part) => roots.includes(part)));
}

function shownSection(
  section: DeclaredSection,
  of: DisplayedCase & { hasImage: boolean },
): ShownSection | null {
  const { show, title } = section;
  const head = { title, more: 0 };
  if (show === 'image') return of.hasImage ? { ...head, show } : null;
  if (show === 'text') {
    const text = valueText(valueAt(of, section.of));
    return text === null ? null : { ...head, show, text };
  }
  if (show === 'facts') {
    const rows = section.of.flatMap((one) => {
      const value = valueText(valueAt(of, pathOf(one)));
      return value === null ? [] : [{ label: labelOf(one), value }];
    });
    return rows.length === 0 ? null : { ...head, show, rows };
  }
  if (show === 'badges') {
    const words = section.of.flatMap((path) => wordsOf(valueAt(of, path)));
    return words.length === 0
      ? null
      : {
          ...head,
          show,
          words: words.slice(0, MOST_ENTRIES),
          more: Math.max(0, words.length - MOST_ENTRIES),
        };
  }
  const value = valueAt(of, section.of);
  return Array.isArray(value) && value.length > 0 ? listSection(section, value) : null;
}

type ListSection = Exclude<DeclaredSection, { show: 'text' | 'facts' | 'badges' | 'image' }>;

function listSection(section: ListSection, items: readonly Json[]): ShownSection | null {
  const { title } = section;
  const head = { title, more: Math.max(0, items.length - MOST_ENTRIES) };
  const shown = items.slice(0, MOST_ENTRIES);
  const textIn = (item: Json, path: string | undefined) =>
    path === undefined ? null : valueText(valueIn(item, path.split('.')));
  if (section.show === 'table') {
    const rows = shown.map((item) => section.columns.map((one) => textIn(item, pathOf(one)) ?? ''));
    return { ...head, show: 'table', columns: section.columns.map(labelOf), rows };
  }
  if (section.show === 'chart') return chart(section, items);
  if (section.show === 'timeline') {
    const entries = shown.flatMap((item) => {
      const text = textIn(item, section.text);
      const at = textIn(item, section.at) ?? '';
      return text === null ? [] : [{ at, text, evidence: textIn(item, section.evidence) }];
    });
    return entries.length === 0 ? null : { ...head, show: 'timeline', entries };
  }
  const quotes = shown.flatMap((item) => {
    const words = typeof item === 'string' ? valueText(item) : textIn(item, section.quote);
    return words === null ? [] : [{ words, evidence: textIn(item, section.evidence) }];
  });
  return quotes.length === 0 ? null : { ...head, show: 'quotes', quotes };
}

function chart(
  section: Extract<DeclaredSection, { show: 'chart' }>,
  items: readonly Json[],
): ShownSection | null {
  const points = items.flatMap((item) => {
    const at = secondsOf(valueIn(item, section.at.split('.')));
    const values = section.values.map((one) => {
      const value = valueIn(item, pathOf(one).split('.'));
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    });
    return at === null || values.every((value) => value === null) ? [] : [{ at, values }];
  });
  if (points.length === 0) return null;
  const inOrder = points.sort((a, b) => a.at - b.at);
  return {
    show: 'chart',
    title: section.title,
    names: section.values.map(labelOf),
    points: inOrder.slice(0, MOST_POINTS),
    more: Math.max(0, inOrder.length - MOST_POINTS),
  };
}

/** Returns a time in seconds since 1970, from ISO 8601 or a number of seconds or milliseconds; null: it is none. */
function secondsOf(value: Json | undefined): number | null {
  if (typeof value === 'number')
    return Number.isFinite(value) ? (value > 1e11 ? value / 1_000 : value) : null;
  const at = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : at / 1_000;
}

function wordsOf(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => valueText(one) ?? []);
}

const pathOf = (one: Labelled): string => (typeof one === 'string' ? one : one.path);
const labelOf = (one: Labelled): string =>
  typeof one === 'string' ? nameInWords(one.split('.').at(-1) ?? one) : one.label;
