import { rich, t } from '../strings/text.js';
import { Link, useLocation } from 'wouter';
import { ENTRIES, entryAt, tabAt, type Entry } from '../places.js';
import { cx } from '../ui/cx.js';
import { InboxMark } from './inbox-mark.js';
import { useMay } from './use-may.js';
import { LOCAL_ZONE } from '../format/time.js';
import { usePreferences } from './preferences.js';

const ALL: readonly Entry[] = ENTRIES;

/** The links to the entries: a side bar, or on a phone a bar at the bottom. */
export function PagesNav() {
  const [location] = useLocation();
  const current = entryAt(location);
  const { zone } = usePreferences();
  return (
    <nav className="side" aria-label={t('shell.pages')}>
      {ALL.map((entry) => (
        <EntryLink key={entry.href} entry={entry} current={entry === current} />
      ))}
      <p className="side-foot">
        {rich('shell.toSearchForKeys', {
          kbd: <kbd>Ctrl</kbd>,
          kbd2: <kbd>K</kbd>,
          kbd3: <kbd>?</kbd>,
          br: <br />,
          span: <span>{rich('shell.timesIn', { zone: zone === 'utc' ? 'UTC' : LOCAL_ZONE })}</span>,
        })}
      </p>
    </nav>
  );
}

function EntryLink({ entry: { href, name, icon: Icon }, current }: { entry: Entry; current: boolean }) {
  return (
    <Link
      href={href}
      className={cx('place', current && 'place-current')}
      aria-current={current ? 'page' : undefined}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.8} />
      <span className="place-name">{name}</span>
      {href === '/inbox' && <InboxMark />}
    </Link>
  );
}

/** The pages of the entry that is shown, if it has more than one. */
export function EntryTabs({ location }: { location: string }) {
  const may = useMay();
  const entry = entryAt(location);
  if (entry === null || entry.tabs.length === 1) return null;
  const current = tabAt(entry, location);
  return (
    <nav className="entry-tabs" aria-label={entry.name}>
      {entry.tabs
        .filter(({ needs = 'viewer' }) => may(needs))
        .map((tab) => (
          <Link
            key={tab.href}
            href={tab.href}
            className={cx('entry-tab', tab === current && 'entry-tab-current')}
            aria-current={tab === current ? 'page' : undefined}
          >
            {tab.name}
          </Link>
        ))}
    </nav>
  );
}
