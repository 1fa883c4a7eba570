import type { FoundSection } from '@casefile/contracts';
import { askJson } from '../../api/request.js';
import { headingAnchor, linkTarget } from './doc-links.js';

/** A link to a section of the documentation that contains the searched words. */
export interface SectionLink {
  href: string;
  /** Title of the page, and the heading of the section unless it is the beginning of the page. */
  title: string;
  excerpt: string;
}

/** Searches the documentation. @throws ApiProblem if the console does not answer. */
export async function searchDocs(query: string, signal: AbortSignal): Promise<SectionLink[]> {
  const path = `/docs/search.json?${new URLSearchParams({ q: query }).toString()}`;
  return (await askJson<FoundSection[]>(path, { signal })).map(sectionLink);
}

/** Returns the link to a section. */
export function sectionLink({ file, title, heading, excerpt }: FoundSection): SectionLink {
  const target = linkTarget('README.md', heading === null ? file : `${file}#${headingAnchor(heading)}`);
  const href = target.kind === 'page' ? target.href : '/docs';
  const parts = heading === null ? [title] : [title, heading];
  return { href, title: parts.join(': ').replaceAll('`', ''), excerpt };
}
