import { t } from '../strings/text.js';
import { Link2 } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { cx } from './cx.js';
import './anchored.css';

/** Events after which the URL may have another fragment. The router dispatches `pushState`. */
const EVENTS = ['hashchange', 'popstate', 'pushState'];

function subscribe(changed: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, changed);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, changed);
  };
}

/**
 * Returns whether the URL points at the element `id`, and scrolls to it, also when the same link is followed
 * again.
 */
export function useScrollToTarget(id: string, place: RefObject<HTMLElement | null>): boolean {
  const isTarget = useTarget() === id;
  useEffect(() => {
    const scroll = (): void => {
      const element = place.current;
      if (element === null || decodeHash(window.location.hash) !== id) return;
      // An element that does not fit is scrolled to its beginning.
      const fits = element.offsetHeight < window.innerHeight * 0.7;
      element.scrollIntoView({ block: fits ? 'center' : 'start' });
    };
    scroll();
    return subscribe(scroll);
  }, [id, place]);
  return isTarget;
}

/** Returns the element id in the URL's fragment, or ''. */
export function useTarget(): string {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return decodeHash(hash);
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // An invalid escape names no element.
    return '';
  }
}

interface AnchoredProps {
  id: string;
  /** Label of the link to this element. */
  name: string;
  className?: string;
  children: ReactNode;
}

/** An element that a URL can point at. It is then scrolled to and marked. */
export function Anchored({ id, name, className, children }: AnchoredProps) {
  const place = useRef<HTMLElement>(null);
  const isTarget = useScrollToTarget(id, place);
  return (
    <article
      id={id}
      ref={place}
      className={cx('anchored', isTarget && 'is-target', className)}
      aria-label={name}
    >
      {children}
    </article>
  );
}

/** A link to an element, to copy or bookmark. */
export function AnchorLink({ id, name }: { id: string; name: string }) {
  return (
    <a
      className="anchor"
      href={`#${encodeURIComponent(id)}`}
      aria-label={t('ui.linkTo', { name })}
      title={t('ui.linkTo', { name })}
    >
      <Link2 aria-hidden="true" size={13} />
    </a>
  );
}
