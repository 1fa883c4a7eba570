import { Link2 } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { cx } from './cx.js';
import './anchored.css';

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('popstate', changed);
  };
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
  const isTarget = useTarget() === id;
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!isTarget || element === null) return;
    // An element that does not fit is scrolled to its beginning.
    const fits = element.offsetHeight < window.innerHeight * 0.7;
    element.scrollIntoView({ block: fits ? 'center' : 'start' });
  }, [isTarget]);
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
      aria-label={`Link to ${name}`}
      title={`Link to ${name}`}
    >
      <Link2 aria-hidden="true" size={13} />
    </a>
  );
}
