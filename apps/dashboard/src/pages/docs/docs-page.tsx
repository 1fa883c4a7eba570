import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { Link } from 'wouter';
import { readGfm } from '../../ui/read-gfm.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { headingAnchor, linkTarget, withoutFrontMatter } from './doc-links.js';
import '../../ui/markdown.css';
import './docs.css';

/** A page of the documentation that comes with the installation. `page`: below /docs, such as `operate/health`; '' is the index. */
export default function DocsPage({ page }: { page: string }) {
  const file = page === '' ? 'README.md' : `${page}.md`;
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', file],
    queryFn: ({ signal }) => readPage(file, signal),
    staleTime: Infinity,
  });
  const title = data === undefined ? undefined : /^# (.+)$/m.exec(data)?.[1];
  useEffect(() => void (document.title = `${title ?? 'Documentation'} · Casefile`), [title]);
  useEffect(() => {
    if (data !== undefined) document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [data]);
  if (error !== null)
    return <Failed page what="The page could not be read" error={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className="panel">
        <Skeleton lines={10} label="The page is loading" />
      </div>
    );
  return (
    <article className="panel doc md">
      {page !== '' && (
        <p>
          <Link href="/docs">All pages</Link>
        </p>
      )}
      <Markdown remarkPlugins={[readGfm]} components={fileComponents(file)}>
        {data}
      </Markdown>
    </article>
  );
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
