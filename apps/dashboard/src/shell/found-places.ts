import { t } from '../strings/text.js';
import type { CaseList, Configuration, Role } from '@casefile/contracts';
import type { SectionLink } from '../pages/docs/search-docs.js';
import { ENTRIES, type Entry } from '../places.js';

/** A place or an act that the search leads to. */
export interface Found {
  /** Heading of its group. */
  group: string;
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
  { name: t('shell.submitACase'), href: '/cases/new', needs: 'operator', words: 'new alert judge' },
  {
    name: t('shell.judgeCasesAgain'),
    href: '/improve/trials',
    needs: 'operator',
    words: 'batch degraded reprocess',
  },
  {
    name: t('shell.tryAPromptModelThreshold'),
    href: '/improve',
    needs: 'operator',
    words: 'experiment trial',
  },
  { name: t('shell.changeAPrompt'), href: '/improve', needs: 'operator', words: 'edit version' },
  {
    name: t('shell.addADestination'),
    href: '/operate/destinations',
    needs: 'operator',
    words: 'receiver webhook test',
  },
  {
    name: t('shell.silenceAlerts'),
    href: '/operate/destinations#silences',
    needs: 'operator',
    words: 'mute quiet',
  },
  {
    name: t('shell.addADataSource'),
    href: '/operate/tools',
    needs: 'operator',
    words: 'prometheus mcp tool',
  },
  {
    name: t('shell.tryAProviderNow'),
    href: '/operate/cost#providers',
    needs: 'operator',
    words: 'model circuit',
  },
  { name: t('shell.createAKey'), href: '/settings/people', needs: 'admin', words: 'access token person' },
  { name: t('shell.checkTheAuditLog'), href: '/settings/audit', needs: 'admin', words: 'chain verify' },
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
      .map(({ name, href }): Found => ({
        group: t('shell.pages'),
        name,
        note: name === entry ? '' : entry,
        href,
      })),
  );
  const acts = ACTS.filter(
    ({ needs, name, words }) => query !== '' && may(needs) && matches(query, `${name} ${words}`),
  ).map(({ name, href }): Found => ({ group: t('shell.acts'), name, note: '', href }));
  return [...pages, ...acts];
}

/** Returns the first cases of a search. */
export function foundCases({ cases }: CaseList): Found[] {
  return cases.slice(0, MOST).map(({ caseId, playbook, text }) => ({
    group: t('shell.cases'),
    name: text === '' ? caseId : text.slice(0, 100),
    note: playbook,
    href: `/cases/${caseId}`,
  }));
}

/** Returns the first sections of the documentation that a search found. */
export function foundSections(links: readonly SectionLink[]): Found[] {
  return links
    .slice(0, MOST_SECTIONS)
    .map(({ title, href }) => ({ group: t('shell.documentation'), name: title, note: '', href }));
}

/** Returns settings whose name contains the query, with a dot or a letter at any place. */
export function foundSettings(query: string, { configuration }: Configuration): Found[] {
  const words = query.toLowerCase().split(/\s+/);
  return configuration
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, MOST)
    .map(({ name, value }) => ({
      group: t('shell.settings'),
      name,
      note: value === null ? t('shell.notSet') : JSON.stringify(value).slice(0, 40),
      href: `/settings?q=${encodeURIComponent(name)}`,
    }));
}
