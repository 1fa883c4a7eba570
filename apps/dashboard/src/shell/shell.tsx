import { BookOpen, CircleDot, FolderSearch, Layers, Send, Skull } from 'lucide-react';
import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { usePipeline } from '../api/queries.js';
import { countText } from '../format/numbers.js';
import { ErrorBoundary } from '../ui/error-boundary.js';
import { Empty } from '../ui/states.js';
import { DemonstrationBanner } from './demonstration-banner.js';
import { LiveMark } from './live-mark.js';
import { ModelMark } from './model-mark.js';
import { SettingsMenu } from './settings-menu.js';
import { Shortcuts } from './shortcuts.js';
import './shell.css';

interface Place {
  href: string;
  name: string;
  keys: string;
  icon: ComponentType<{ size?: number; strokeWidth?: number; 'aria-hidden'?: 'true' }>;
}

/** Where one can go, and the keys that go there. */
const PLACES: readonly Place[] = [
  { href: '/', name: 'Pipeline', keys: 'g p', icon: CircleDot },
  { href: '/cases', name: 'Cases', keys: 'g c', icon: FolderSearch },
  { href: '/policies', name: 'Policies', keys: 'g o', icon: BookOpen },
  { href: '/board', name: 'Queues', keys: 'g q', icon: Layers },
  { href: '/dead-letters', name: 'Dead letters', keys: 'g d', icon: Skull },
  { href: '/submit', name: 'Submit', keys: 'g s', icon: Send },
];

/** Header, ways to the pages, and the page. */
export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Brand />
        <div className="top-marks">
          <ModelMark />
          <LiveMark />
          <SettingsMenu />
        </div>
      </header>
      <nav className="side" aria-label="Pages">
        {PLACES.map((place) => (
          <PlaceLink key={place.href} place={place} current={isAt(location, place.href)} />
        ))}
        <p className="side-foot">
          <kbd>?</kbd> for shortcuts
        </p>
      </nav>
      <Main location={location}>{children}</Main>
      <Shortcuts places={PLACES} />
    </div>
  );
}

function Main({ location, children }: { location: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const wentBack = useWentBack();
  // A new page begins at its top, and readers of the screen hear of it. On the way back the browser finds the place.
  useEffect(() => {
    if (first.current) return void (first.current = false);
    if (window.location.hash === '' && wentBack.current !== location) window.scrollTo(0, 0);
    wentBack.current = null;
    main.current?.focus({ preventScroll: true });
  }, [location, wentBack]);
  return (
    <main id="main" className="main" ref={main} tabIndex={-1}>
      <DemonstrationBanner />
      <ErrorBoundary
        of={location}
        fallback={<Empty title="This page failed">Reload it; the rest of the console still works.</Empty>}
      >
        {children}
      </ErrorBoundary>
    </main>
  );
}

// The path that the browser last went back or forward to.
function useWentBack(): { current: string | null } {
  const wentBack = useRef<string | null>(null);
  useEffect(() => {
    const went = (): void => void (wentBack.current = window.location.pathname);
    window.addEventListener('popstate', went);
    return () => window.removeEventListener('popstate', went);
  }, []);
  return wentBack;
}

function Brand() {
  return (
    <Link href="/" className="brand" aria-label="Casefile: pipeline">
      <img src="/favicon.svg" width={22} height={22} alt="" />
      <span>Casefile</span>
    </Link>
  );
}

function PlaceLink({ place, current }: { place: Place; current: boolean }) {
  const { icon: Icon } = place;
  return (
    <Link
      href={place.href}
      className={current ? 'place place-current' : 'place'}
      aria-current={current ? 'page' : undefined}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.8} />
      <span className="place-name">{place.name}</span>
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
