import type { ReactNode } from 'react';
import { cx } from './cx.js';
import './badge.css';

export type Tone = 'neutral' | 'red' | 'amber' | 'green' | 'blue' | 'violet' | 'accent';

/** A word on a coloured background. `dot` adds a dot before the word, which may pulse. */
export function Badge({
  tone = 'neutral',
  dot,
  title,
  children,
}: {
  tone?: Tone;
  dot?: 'still' | 'pulse' | 'hollow';
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={cx('badge', `tone-${tone}`)} title={title}>
      {dot !== undefined && <Dot kind={dot} />}
      {children}
    </span>
  );
}

/** A dot in the current tone. Text next to it has the same meaning. */
export function Dot({ kind = 'still', tone }: { kind?: 'still' | 'pulse' | 'hollow'; tone?: Tone }) {
  return (
    <span aria-hidden="true" className={cx('dot', `dot-${kind}`, tone !== undefined && `tone-${tone}`)} />
  );
}
