import { Ellipsis } from 'lucide-react';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { usePipeline } from '../api/queries.js';
import { countText } from '../format/numbers.js';
import { PLACES, PLACE_GROUPS, type Place } from '../places.js';
import { cx } from '../ui/cx.js';
import { useNarrow } from '../ui/use-media.js';
import { useMay } from './use-may.js';

const PAGES: readonly Place[] = PLACES;

/** The links to the pages: a side bar in groups, or on a phone a bar of the main pages with the others behind More. */
export function PagesNav() {
  const [location] = useLocation();
  const narrow = useNarrow();
  const may = useMay();
  const places = PAGES.filter(({ needs = 'viewer' }) => may(needs));
  const Links = narrow ? Bar : Groups;
  return (
    <nav className="side" aria-label="Pages">
      <Links location={location} places={places} />
    </nav>
  );
}

interface LinksProps {
  location: string;
  places: readonly Place[];
}

function Bar({ location, places }: LinksProps) {
  const inBar = places.filter((place) => place.inBar !== undefined);
  return (
    <>
      {inBar.map((place) => (
        <PlaceLink
          key={place.href}
          place={place}
          name={place.inBar ?? place.name}
          current={isAt(location, place.href)}
        />
      ))}
      <More places={places.filter((place) => !inBar.includes(place))} location={location} />
    </>
  );
}

function Groups({ location, places }: LinksProps) {
  return (
    <>
      {PLACE_GROUPS.map((group) => (
        <div key={group} className="place-group" role="group" aria-label={group}>
          <p className="place-label" aria-hidden="true">
            {group}
          </p>
          {places
            .filter((place) => place.group === group)
            .map((place) => (
              <PlaceLink
                key={place.href}
                place={place}
                name={place.name}
                current={isAt(location, place.href)}
              />
            ))}
        </div>
      ))}
      <p className="side-foot">
        <kbd>?</kbd> for shortcuts
      </p>
    </>
  );
}

function More({ places, location }: LinksProps) {
  const menu = useRef<HTMLUListElement>(null);
  const current = places.some(({ href }) => isAt(location, href));
  return (
    <>
      <button
        type="button"
        className={cx('place', 'place-more', current && 'place-current')}
        popoverTarget="more-pages"
      >
        <Ellipsis aria-hidden="true" size={16} strokeWidth={1.8} />
        <span className="place-name">More</span>
      </button>
      <ul id="more-pages" popover="auto" className="menu more-pages" ref={menu}>
        {places.map(({ href, name, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              className={cx('menu-item', isAt(location, href) && 'place-current')}
              aria-current={isAt(location, href) ? 'page' : undefined}
              onClick={() => menu.current?.hidePopover()}
            >
              <Icon aria-hidden="true" size={16} strokeWidth={1.8} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function PlaceLink({ place, name, current }: { place: Place; name: string; current: boolean }) {
  const { icon: Icon } = place;
  return (
    <Link
      href={place.href}
      className={cx('place', current && 'place-current')}
      aria-current={current ? 'page' : undefined}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.8} />
      <span className="place-name">{name}</span>
      {place.href === '/dead-letters' && <LetterCount />}
    </Link>
  );
}

function LetterCount() {
  const { data } = usePipeline();
  if (data === undefined || data.deadLetters === 0) return null;
  return <span className="place-count num">{countText(data.deadLetters)}</span>;
}

function isAt(location: string, href: string): boolean {
  return href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);
}
