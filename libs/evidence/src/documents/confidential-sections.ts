import { CasefileError } from '@casefile/contracts';
import type { ParsedSection } from './section-tree.js';

/** After a heading: `## 16.1 List of indicators {confidential}`. */
const MARK = /(?<!\s)\s*\{\s*confidential\s*\}\s*$/i;

/**
 * Marks the sections whose words stay on the record, those below them included; the mark in a heading is no part of its
 * title. S4-15.
 * @param named by title, number or node id; `all`.
 * @throws CasefileError `unknown_section`: a name that no section has would keep nothing back, and nobody would know.
 */
export function withConfidential(
  sections: readonly ParsedSection[],
  named: readonly string[],
): ParsedSection[] {
  const wanted = new Set(named.map(form).filter((name) => name !== ''));
  const met = new Set<string>();
  const marked = new Set<string>();
  const done = sections.map((section): ParsedSection => {
    const title = section.title.replace(MARK, '');
    const names = ['all', form(section.nodeId), form(title), form(/^[\d.]*\d/.exec(title)?.[0] ?? '')];
    const own = names.filter((name) => wanted.has(name));
    for (const name of own) met.add(name);
    const above = section.parentId !== null && marked.has(section.parentId);
    if (own.length === 0 && !above && title === section.title) return section;
    marked.add(section.nodeId);
    return { ...section, title, confidential: true };
  });
  const unmet = [...wanted].filter((name) => !met.has(name));
  if (unmet.length === 0) return done;
  const list = unmet.map((name) => JSON.stringify(name)).join(', ');
  throw new CasefileError('unknown_section', `No section is called ${list}: nothing was imported`);
}

const form = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();
