import type { Role } from '@casefile/contracts';
import {
  BookOpen,
  BookOpenCheck,
  CircleDot,
  CircleHelp,
  Coins,
  FilePenLine,
  FlaskConical,
  FolderSearch,
  Gauge,
  Layers,
  ListChecks,
  Megaphone,
  MessagesSquare,
  RotateCcw,
  KeyRound,
  ScrollText,
  Send,
  Skull,
  SlidersHorizontal,
  Wrench,
  type LucideIcon,
} from 'lucide-react';

/** Groups of the side bar, in its order. */
export const PLACE_GROUPS = ['Work', 'Operate', 'Improve', 'Administer'] as const;

export interface Place {
  href: string;
  name: string;
  group: (typeof PLACE_GROUPS)[number];
  /** Page of the documentation for this page, below `/docs`. */
  doc: string;
  /** Keys that open the page. */
  keys: string;
  icon: LucideIcon;
  /** Role that the page needs as a whole. The link is hidden from other people. Default: viewer. */
  needs?: Role;
  /**
   * Name of the entry in the bar on phones. Without a name, the entry is in the menu More. A bar of 320 px
   * has room for five entries of about eight letters, and More.
   */
  inBar?: string;
}

/** The pages that the side bar leads to; their routes are in `app.tsx`. */
export const PLACES = [
  {
    href: '/',
    doc: 'use/console#pipeline',
    name: 'Pipeline',
    group: 'Work',
    keys: 'g p',
    icon: CircleDot,
    inBar: 'Pipeline',
  },
  {
    href: '/cases',
    doc: 'use/console#cases',
    name: 'Cases',
    group: 'Work',
    keys: 'g c',
    icon: FolderSearch,
    inBar: 'Cases',
  },
  {
    href: '/review',
    doc: 'use/review',
    name: 'Review',
    group: 'Work',
    keys: 'g v',
    icon: ListChecks,
    inBar: 'Review',
  },
  {
    href: '/engagements',
    doc: 'use/console#engagements',
    name: 'Engagements',
    group: 'Work',
    keys: 'g e',
    icon: MessagesSquare,
  },
  {
    href: '/submit',
    doc: 'use/console#submit',
    name: 'Submit',
    group: 'Work',
    keys: 'g s',
    icon: Send,
    inBar: 'Submit',
  },
  {
    href: '/destinations',
    doc: 'integrate/destinations',
    name: 'Destinations',
    group: 'Operate',
    keys: 'g n',
    icon: Megaphone,
  },
  { href: '/cost', doc: 'use/console#cost', name: 'Cost', group: 'Operate', keys: 'g u', icon: Coins },
  { href: '/board', doc: 'use/console#queues', name: 'Queues', group: 'Operate', keys: 'g q', icon: Layers },
  {
    href: '/dead-letters',
    doc: 'use/console#dead-letters',
    name: 'Dead letters',
    group: 'Operate',
    keys: 'g d',
    icon: Skull,
    inBar: 'Letters',
  },
  {
    href: '/batches',
    doc: 'use/run-again#batches',
    name: 'Batches',
    group: 'Improve',
    keys: 'g b',
    icon: RotateCcw,
  },
  { href: '/quality', doc: 'use/quality', name: 'Quality', group: 'Improve', keys: 'g y', icon: Gauge },
  { href: '/prompts', doc: 'use/prompts', name: 'Prompts', group: 'Improve', keys: 'g m', icon: FilePenLine },
  {
    href: '/experiments',
    doc: 'use/experiments',
    name: 'Experiments',
    group: 'Improve',
    keys: 'g x',
    icon: FlaskConical,
  },
  {
    href: '/policies',
    doc: 'use/console#policies',
    name: 'Policies',
    group: 'Administer',
    keys: 'g o',
    icon: BookOpen,
  },
  {
    href: '/runbooks',
    doc: 'use/console#runbooks',
    name: 'Runbooks',
    group: 'Administer',
    keys: 'g r',
    icon: BookOpenCheck,
  },
  { href: '/tools', doc: 'use/console#tools', name: 'Tools', group: 'Administer', keys: 'g t', icon: Wrench },
  {
    href: '/configuration',
    doc: 'reference/settings',
    name: 'Configuration',
    group: 'Administer',
    keys: 'g f',
    icon: SlidersHorizontal,
  },
  {
    href: '/access',
    needs: 'admin',
    doc: 'operate/access',
    name: 'Access',
    group: 'Administer',
    keys: 'g k',
    icon: KeyRound,
  },
  {
    href: '/audit',
    needs: 'admin',
    doc: 'operate/audit',
    name: 'Audit',
    group: 'Administer',
    keys: 'g a',
    icon: ScrollText,
  },
  { href: '/docs', doc: 'use/console', name: 'Docs', group: 'Administer', keys: 'g h', icon: CircleHelp },
] as const satisfies readonly Place[];

/** Returns the documentation of the page at a location. */
export function docHref(location: string): string {
  const place = [...PLACES]
    .reverse()
    .find(({ href }) => location === href || location.startsWith(`${href}/`));
  return `/docs/${(place ?? PLACES[0]).doc}`;
}
