import {
  BookOpen,
  BookOpenCheck,
  CircleDot,
  CircleHelp,
  FolderSearch,
  Layers,
  MessagesSquare,
  RotateCcw,
  Send,
  Skull,
  Wrench,
  type LucideIcon,
} from 'lucide-react';

export interface Place {
  href: string;
  name: string;
  /** Keys that open the page. */
  keys: string;
  icon: LucideIcon;
  /**
   * Whether the entry is in the bar on phones. Other entries are behind More. A bar of 320 px holds four
   * entries and More.
   */
  inBar?: true;
}

/** The pages that the side bar leads to; their routes are in `app.tsx`. */
export const PLACES = [
  { href: '/', name: 'Pipeline', keys: 'g p', icon: CircleDot, inBar: true },
  { href: '/cases', name: 'Cases', keys: 'g c', icon: FolderSearch, inBar: true },
  { href: '/policies', name: 'Policies', keys: 'g o', icon: BookOpen },
  { href: '/runbooks', name: 'Runbooks', keys: 'g r', icon: BookOpenCheck },
  { href: '/batches', name: 'Batches', keys: 'g b', icon: RotateCcw },
  { href: '/engagements', name: 'Engagements', keys: 'g e', icon: MessagesSquare },
  { href: '/tools', name: 'Tools', keys: 'g t', icon: Wrench },
  { href: '/board', name: 'Queues', keys: 'g q', icon: Layers },
  { href: '/dead-letters', name: 'Dead letters', keys: 'g d', icon: Skull, inBar: true },
  { href: '/submit', name: 'Submit', keys: 'g s', icon: Send, inBar: true },
  { href: '/docs', name: 'Docs', keys: 'g h', icon: CircleHelp },
] as const satisfies readonly Place[];
