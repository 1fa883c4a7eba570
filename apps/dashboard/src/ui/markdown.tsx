import { Link } from 'wouter';
import Markdown, { type Components, type Options } from 'react-markdown';
import { readGfm } from './read-gfm.js';
import { isPolicyAddress } from '../pages/policy/policy-address.js';
import { linkCitations, type EvidenceLinks } from './link-citations.js';
import './citation.css';
import './markdown.css';

// Links are shown as what they are and lead nowhere by themselves; images are never loaded, for a picture's address
// can carry what was read here to somebody else.
const components: Components = {
  a: ({ href, children }) =>
    href?.startsWith('#') ? (
      <a className="citation" href={href}>
        {children}
      </a>
    ) : href !== undefined && isPolicyAddress(href) ? (
      <Link href={href}>{children}</Link>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  img: ({ alt }) => <span className="md-image">[image not loaded{alt ? `: ${alt}` : ''}]</span>,
  table: ({ children }) => (
    <div className="md-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  // The page has its own headings: those of a text begin below them.
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h4',
  h5: 'h6',
};

const SAFE_LINK = /^(https?:|#)/i;
const urlTransform: Options['urlTransform'] = (url) =>
  SAFE_LINK.test(url) || isPolicyAddress(url) ? url : undefined;

/**
 * Text of a model or a stranger, as Markdown: no HTML of its own, nothing fetched. Where it cites evidence that
 * `links` knows, the citation leads to it.
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
