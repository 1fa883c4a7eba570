import type { SettingEntry } from '@casefile/contracts';

/** Settings whose names begin with the same word, such as `budgets`. */
export interface SettingSection {
  name: string;
  /** Settings of a file or of the environment. */
  changed: SettingEntry[];
  defaults: SettingEntry[];
}

/** Filters of the page, as they stand in its URL. */
export interface SettingFilter {
  q: string;
  source: string;
}

/** Name of the section of environment variables, which have no dot. */
const VARIABLES = 'Environment variables';

/** Returns the settings that match, by section, those with changed settings first. */
export function settingSections(
  entries: readonly SettingEntry[],
  { q, source }: SettingFilter,
): SettingSection[] {
  const sections = new Map<string, SettingSection>();
  for (const entry of entries) {
    if (!entry.name.toLowerCase().includes(q.toLowerCase())) continue;
    if (source !== '' && entry.source !== source) continue;
    const name = sectionName(entry.name);
    const section = sections.get(name) ?? { name, changed: [], defaults: [] };
    (entry.source === 'default' ? section.defaults : section.changed).push(entry);
    sections.set(name, section);
  }
  return [...sections.values()].sort(
    (a, b) => Number(b.changed.length > 0) - Number(a.changed.length > 0) || a.name.localeCompare(b.name),
  );
}

function sectionName(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? VARIABLES : (name.split('.')[0] ?? name);
}
