import { t } from '../strings/text.js';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { glossaryHref } from './glossary.js';
import './glossary-word.css';

/** A word with a link to its entry in the glossary, if the glossary has one. `word`: default is the text. */
export function GlossaryWord({ children, word }: { children: ReactNode; word?: string }) {
  const href = glossaryHref(word ?? (typeof children === 'string' ? children : ''));
  if (href === null) return <>{children}</>;
  return (
    <Link href={href} className="glossary-word" title={t('ui.explainedInTheGlossary')}>
      {children}
    </Link>
  );
}
