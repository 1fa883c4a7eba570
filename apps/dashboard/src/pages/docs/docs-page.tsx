import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { Link } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { readGfm } from '../../ui/read-gfm.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { headingAnchor, linkTarget, withoutFrontMatter } from './doc-links.js';
import { fileOf, pagesIn, sectionOf, SECTIONS } from './doc-sections.js';
import { DocsSearch } from './docs-search.js';
import '../../ui/markdown.css';
import './docs.css';

/** A page of the documentation that comes with the installation. `page`: below /docs, such as `operate/health`; '' is the index. */
export default function DocsPage({ page }: { page: string }) {
  const file = fileOf(page);
  const { data, error, refetch } = usePage(file);
  const title = data === undefined ? undefined : /^# (.+)$/m.exec(data)?.[1];
  useEffect(() => void (document.title = `${title ?? 'Documentation'} · Casefile`), [title]);
  const hash = useLocationProperty(() => window.location.hash);
  const [query, setQuery] = useState('');
  const isPageShown = data !== undefined && query === '';
  useEffect(() => {
    if (isPageShown) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [isPageShown, hash]);
  return (
    <div className="docs">
      <SideList page={page} />
      <div className="docs-main">
        <DocsSearch query={query} search={setQuery} />
        {query !== '' ? null : error !== null ? (
          <Failed page what="The page could not be read" error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <div className="panel">
            <Skeleton lines={10} label="The page is loading" />
          </div>
        ) : (
          <article className="panel doc md">
            <Markdown remarkPlugins={[readGfm]} components={fileComponents(file)}>
              {data}
            </Markdown>
          </article>
        )}
      </div>
    </div>
  );
}

/** The sections of the documentation, and the pages of the current one. */
function SideList({ page }: { page: string }) {
  const current = sectionOf(page);
  const { data = '' } = usePage(fileOf(current ?? ''));
  const link = (href: string, title: string) => (
    <Link href={href} aria-current={href === `/docs/${page}` ? 'page' : undefined}>
      {title}
    </Link>
  );
  return (
    <nav className="docs-list" aria-label="Documentation">
      <Link href="/docs" aria-current={page === '' ? 'page' : undefined}>
        Documentation
      </Link>
      <ul>
        {SECTIONS.map(([folder, title]) => (
          <li key={folder}>
            {link(`/docs/${folder}`, title)}
            {folder === current && (
              <ul>
                {pagesIn(folder, data).map(({ href, title: name }) => (
                  <li key={href}>{link(href, name)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function usePage(file: string) {
  return useQuery({
    queryKey: ['docs', file],
    queryFn: ({ signal }) => readPage(file, signal),
    staleTime: Infinity,
  });
}

async function readPage(file: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`/docs/${file}`, { signal });
  if (!response.ok) throw new Error(`There is no page ${file} (${response.status}).`);
  return withoutFrontMatter(await response.text());
}

function fileComponents(file: string): Components {
  return {
    a: ({ href = '', children }) => <DocLink target={linkTarget(file, href)}>{children}</DocLink>,
    img: ({ alt }) => <span className="md-image">[{alt}]</span>,
    table: ({ children }) => (
      <div className="md-table" tabIndex={0} role="group" aria-label="Table">
        <table>{children}</table>
      </div>
    ),
    // An entry of the glossary is a row of a table, which begins with its word.
    strong: ({ children }) => (
      <strong id={file === 'reference/glossary.md' ? headingAnchor(childrenText(children)) : undefined}>
        {children}
      </strong>
    ),
    h2: ({ children }) => <h2 id={headingAnchor(childrenText(children))}>{children}</h2>,
    h3: ({ children }) => <h3 id={headingAnchor(childrenText(children))}>{children}</h3>,
  };
}

function DocLink({ target, children }: { target: ReturnType<typeof linkTarget>; children: ReactNode }) {
  switch (target.kind) {
    case 'page':
      return <Link href={target.href}>{children}</Link>;
    case 'outside':
      return (
        <a href={target.href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    case 'file':
      return (
        <>
          {children} <span className="quiet mono">({target.path})</span>
        </>
      );
  }
}

function childrenText(children: ReactNode): string {
  if (typeof children === 'string') return children;
  if (Array.isArray(children)) return children.map(childrenText).join('');
  const isElement = typeof children === 'object' && children !== null && 'props' in children;
  return isElement ? childrenText((children.props as { children?: ReactNode }).children) : '';
}
