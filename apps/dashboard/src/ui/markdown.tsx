import { t } from '../strings/text.js';
import { Link } from 'wouter';
import Markdown, { type Components, type Options } from 'react-markdown';
import { readGfm } from './read-gfm.js';
import { isCaseAddress } from '../pages/case/past-cases.js';
import { isPolicyAddress } from '../pages/policy/policy-address.js';
import { linkCitations, type EvidenceLinks } from './link-citations.js';
import './citation.css';
import './markdown.css';

const isOwnAddress = (url: string) => isPolicyAddress(url) || isCaseAddress(url);

// Links are shown as text and never followed. Images are never loaded, because an image URL can leak page
// content to a third party.
const components: Components = {
  a: ({ href, children }) =>
    href?.startsWith('#') ? (
      <a className="citation" href={href}>
        {children}
      </a>
    ) : href !== undefined && isOwnAddress(href) ? (
      <Link href={href}>{children}</Link>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  img: ({ alt }) => (
    <span className="md-image">{t('ui.imageNotLoaded', { alt: alt ? `: ${alt}` : '' })}</span>
  ),
  table: ({ children }) => (
    <div className="md-table" tabIndex={0} role="group" aria-label={t('ui.table')}>
      <table>{children}</table>
    </div>
  ),
  // The page has headings of its own, so headings of a text start below them.
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h4',
  h5: 'h6',
};

const SAFE_LINK = /^(https?:|#)/i;
const urlTransform: Options['urlTransform'] = (url) =>
  SAFE_LINK.test(url) || isOwnAddress(url) ? url : undefined;

/**
 * Untrusted Markdown: no HTML, nothing fetched. A citation of evidence in `links` becomes a link to the
 * evidence.
 */
export function SafeMarkdown({ text, links }: { text: string; links?: EvidenceLinks }) {
  return (
    <div className="md">
      <Markdown
        remarkPlugins={[readGfm, [linkCitations, links]]}
        components={components}
        urlTransform={urlTransform}
      >
        {text}
      </Markdown>
    </div>
  );
}
