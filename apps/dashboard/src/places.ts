import { t } from './strings/text.js';
import type { Role } from '@casefile/contracts';
import {
  Activity,
  FlaskConical,
  FolderSearch,
  House,
  Inbox,
  SlidersHorizontal,
  type LucideIcon,
} from 'lucide-react';

/** A page that an entry of the menu leads to. */
export interface Tab {
  href: string;
  name: string;
  /** Page of the documentation for this page, below `/docs`. */
  doc: string;
  /** Role that the page needs as a whole. The link is hidden from other people. Default: viewer. */
  needs?: Role;
  /** Other words by which the search finds the page. */
  words?: string;
}

/** An entry of the menu. */
export interface Entry {
  href: string;
  name: string;
  /** Keys that open the first page. */
  keys: string;
  icon: LucideIcon;
  /** The pages, the first one at `href`. A single page has no row of tabs. */
  tabs: readonly Tab[];
  /** Beginnings of the addresses of single documents, such as one prompt. */
  documents?: readonly string[];
}

/** The menu; the routes are in `app.tsx`. */
export const ENTRIES = [
  {
    href: '/',
    name: t('app.home'),
    keys: 'g h',
    icon: House,
    tabs: [{ href: '/', name: t('app.home'), doc: 'use/console#home', words: 'overview conditions status' }],
  },
  {
    href: '/inbox',
    name: t('app.inbox'),
    keys: 'g i',
    icon: Inbox,
    tabs: [
      {
        href: '/inbox',
        name: t('app.inbox'),
        doc: 'use/console#inbox',
        words: 'review dead letters engagements questions approvals',
      },
    ],
  },
  {
    href: '/cases',
    name: t('app.cases'),
    keys: 'g c',
    icon: FolderSearch,
    tabs: [
      { href: '/cases', name: t('app.cases'), doc: 'use/console#cases', words: 'list verdicts' },
      { href: '/cases/new', name: t('app.newCase'), doc: 'use/console#new-case', words: 'submit alert' },
    ],
  },
  {
    href: '/operate',
    name: t('app.operate'),
    keys: 'g o',
    icon: Activity,
    tabs: [
      { href: '/operate', name: t('app.flow'), doc: 'use/console#flow', words: 'pipeline stages history' },
      { href: '/operate/queues', name: t('app.queues'), doc: 'use/console#queues', words: 'jobs board' },
      {
        href: '/operate/cost',
        name: t('app.providersAndCost'),
        doc: 'use/console#providers-and-cost',
        words: 'models budgets circuits spend',
      },
      {
        href: '/operate/tools',
        name: t('app.tools'),
        doc: 'use/console#tools',
        words: 'data sources MCP servers',
      },
      {
        href: '/operate/destinations',
        name: t('app.destinations'),
        doc: 'integrate/destinations',
        words: 'receivers webhooks deliveries silences',
      },
      {
        href: '/operate/schedules',
        name: t('app.schedules'),
        doc: 'operate/schedules',
        words: 'feeds cron',
      },
    ],
  },
  {
    href: '/improve',
    name: t('app.improve'),
    keys: 'g m',
    icon: FlaskConical,
    tabs: [
      {
        href: '/improve',
        name: t('app.quality'),
        doc: 'use/quality',
        words: 'kinds labels precision calibration prompts versions',
      },
      {
        href: '/improve/trials',
        name: t('app.trials'),
        doc: 'use/console#trials',
        words: 'experiments batches shadow judge again reprocess',
      },
    ],
    documents: ['/prompts/', '/experiments/', '/batches/'],
  },
  {
    href: '/settings',
    name: t('app.settings'),
    keys: 'g s',
    icon: SlidersHorizontal,
    tabs: [
      {
        href: '/settings',
        name: t('app.configuration'),
        doc: 'use/console#configuration',
        words: 'environment variables',
      },
      {
        href: '/settings/knowledge',
        name: t('app.knowledge'),
        doc: 'use/console#knowledge',
        words: 'policies runbooks',
      },
      {
        href: '/settings/people',
        name: t('app.peopleAndKeys'),
        doc: 'operate/access',
        needs: 'admin',
        words: 'access roles sessions',
      },
      {
        href: '/settings/audit',
        name: t('app.audit'),
        doc: 'operate/audit',
        needs: 'admin',
        words: 'log who changed',
      },
    ],
    documents: ['/policies/', '/runbooks/'],
  },
] as const satisfies readonly Entry[];

const ALL: readonly Entry[] = ENTRIES;

/** Returns the entry of the menu that a location belongs to, or null for the documentation and unknown pages. */
export function entryAt(location: string): Entry | null {
  return (
    ALL.find(({ href, documents = [] }) => {
      if (href === '/') return location === '/';
      return (
        location === href ||
        location.startsWith(`${href}/`) ||
        documents.some((prefix) => location.startsWith(prefix))
      );
    }) ?? null
  );
}

/** Returns the tab of a location: its own page, else the list from which a document is opened, else the first one. */
export function tabAt(entry: Entry, location: string): Tab | undefined {
  const list = LISTS.find(([prefix]) => location.startsWith(prefix))?.[1] ?? location;
  return entry.tabs.find(({ href }) => href === list) ?? entry.tabs[0];
}

const LISTS = [
  ['/prompts/', '/improve'],
  ['/experiments/', '/improve/trials'],
  ['/batches/', '/improve/trials'],
  ['/policies/', '/settings/knowledge'],
  ['/runbooks/', '/settings/knowledge'],
] as const;

/** Returns the documentation of the page at a location. */
export function docHref(location: string): string {
  const entry = entryAt(location);
  const tab = entry === null ? undefined : tabAt(entry, location);
  return `/docs/${tab?.doc ?? 'use/console'}`;
}

/** Pages by their addresses before the menu had six entries, with their present addresses. */
const MOVED: Readonly<Record<string, string>> = {
  '/review': '/inbox?type=review',
  '/engagements': '/inbox?type=engagement',
  '/dead-letters': '/inbox?type=letter',
  '/submit': '/cases/new',
  '/board': '/operate/queues',
  '/cost': '/operate/cost',
  '/tools': '/operate/tools',
  '/destinations': '/operate/destinations',
  '/quality': '/improve',
  '/prompts': '/improve',
  '/improve/prompts': '/improve',
  '/experiments': '/improve/trials',
  '/batches': '/improve/trials',
  '/policies': '/settings/knowledge',
  '/runbooks': '/settings/knowledge',
  '/access': '/settings/people',
  '/audit': '/settings/audit',
  '/configuration': '/settings',
};

/** Returns the present address of a page that moved, with its search and fragment, or null if it did not move. */
export function movedTo(path: string, search: string, hash: string): string | null {
  const to = MOVED[path];
  if (to === undefined) return null;
  const query = search.replace(/^\?/, '');
  const joined = query === '' ? to : `${to}${to.includes('?') ? '&' : '?'}${query}`;
  return `${joined}${hash}`;
}
