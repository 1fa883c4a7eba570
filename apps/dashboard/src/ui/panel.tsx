import { useRef, type ReactNode } from 'react';
import { useScrollToTarget } from './anchored.js';
import { cx } from './cx.js';

interface PanelProps {
  /** Id by which a URL points at the panel. Default: the title. */
  id?: string;
  title: string;
  note?: string;
  wide?: boolean;
  children: ReactNode;
}

/** A card with a title. A URL can point at it. */
export function Panel({ id, title, note, wide = false, children }: PanelProps) {
  const place = useRef<HTMLElement>(null);
  const isTarget = useScrollToTarget(id ?? title, place);
  return (
    <section
      id={id}
      ref={place}
      className={cx('panel', wide && 'panel-wide', isTarget && 'anchored is-target')}
      aria-label={title}
    >
      <header className="panel-head">
        <h2>{title}</h2>
        {note !== undefined && <span className="quiet panel-note">{note}</span>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  );
}
