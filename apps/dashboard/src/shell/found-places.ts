import type { CaseList, Configuration, Role } from '@casefile/contracts';
import type { SectionLink } from '../pages/docs/search-docs.js';
import { ENTRIES, type Entry } from '../places.js';

/** A place or an act that the search leads to. */
export interface Found {
  /** Heading of its group. */
  group: 'Pages' | 'Acts' | 'Cases' | 'Settings' | 'Documentation' | 'Help';
  name: string;
  /** Distinguishes it from results with the same name. */
  note: string;
  href: string;
}

interface Act {
  name: string;
  href: string;
  needs: Role;
  words: string;
}

/** Acts that begin on a page. */
const ACTS: readonly Act[] = [
  { name: 'Submit a case', href: '/cases/new', needs: 'operator', words: 'new alert judge' },
  {
    name: 'Judge cases again',
    href: '/improve/trials',
    needs: 'operator',
    words: 'batch degraded reprocess',
  },
  {
    name: 'Try a prompt, model, threshold or strategy',
    href: '/improve',
    needs: 'operator',
    words: 'experiment trial',
  },
  { name: 'Change a prompt', href: '/improve', needs: 'operator', words: 'edit version' },
  {
    name: 'Add a destination',
    href: '/operate/destinations',
    needs: 'operator',
    words: 'receiver webhook test',
  },
  { name: 'Silence alerts', href: '/operate/destinations#silences', needs: 'operator', words: 'mute quiet' },
  { name: 'Add a data source', href: '/operate/tools', needs: 'operator', words: 'prometheus mcp tool' },
  { name: 'Try a provider now', href: '/operate/cost#providers', needs: 'operator', words: 'model circuit' },
  { name: 'Create a key', href: '/settings/people', needs: 'admin', words: 'access token person' },
  { name: 'Check the audit log', href: '/settings/audit', needs: 'admin', words: 'chain verify' },
];

const PLACES: readonly Entry[] = ENTRIES;
/** Most results of a group, and of the documentation, which comes last. */
const MOST = 6;
const MOST_SECTIONS = 4;

/** Returns whether each word of the query begins a word of the text. */
export function matches(query: string, text: string): boolean {
  const parts = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) => parts.some((part) => part.startsWith(word)));
}

/** Returns pages and acts that match, as far as this person may use them. Without a query, all pages. */
export function foundPlaces(query: string, may: (needs: Role) => boolean): Found[] {
  const pages = PLACES.flatMap(({ name: entry, tabs }) =>
    tabs
      .filter(
        ({ needs = 'viewer', name, words = '' }) => may(needs) && matches(query, `${name} ${entry} ${words}`),
      )
      .map(({ name, href }): Found => ({ group: 'Pages', name, note: name === entry ? '' : entry, href })),
  );
  const acts = ACTS.filter(
    ({ needs, name, words }) => query !== '' && may(needs) && matches(query, `${name} ${words}`),
  ).map(({ name, href }): Found => ({ group: 'Acts', name, note: '', href }));
  return [...pages, ...acts];
}

/** Returns the first cases of a search. */
export function foundCases({ cases }: CaseList): Found[] {
  return cases.slice(0, MOST).map(({ caseId, playbook, text }) => ({
    group: 'Cases',
    name: text === '' ? caseId : text.slice(0, 100),
    note: playbook,
    href: `/cases/${caseId}`,
  }));
}

/** Returns the first sections of the documentation that a search found. */
export function foundSections(links: readonly SectionLink[]): Found[] {
  return links
    .slice(0, MOST_SECTIONS)
    .map(({ title, href }) => ({ group: 'Documentation', name: title, note: '', href }));
}

/** Returns settings whose name contains the query, with a dot or a letter at any place. */
export function foundSettings(query: string, { configuration }: Configuration): Found[] {
  const words = query.toLowerCase().split(/\s+/);
  return configuration
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, MOST)
    .map(({ name, value }) => ({
      group: 'Settings',
      name,
      note: value === null ? 'not set' : JSON.stringify(value).slice(0, 40),
      href: `/settings?q=${encodeURIComponent(name)}`,
    }));
}
