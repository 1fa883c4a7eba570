/** Target in the console of a link on a page of the documentation. */
export type LinkTarget =
  | { kind: 'page'; href: string }
  | { kind: 'outside'; href: string }
  /** A file of the repository that the console does not show; `path` from the repository's root. */
  | { kind: 'file'; path: string };

/**
 * Resolves a link of a page.
 * @param file The page that holds the link, from the folder `docs`, such as `operate/health.md`.
 */
export function linkTarget(file: string, href: string): LinkTarget {
  if (/^https?:/.test(href)) return { kind: 'outside', href };
  const { pathname, hash } = new URL(href, `http://docs/docs/${file}`);
  const page = /^\/docs\/(.+)\.md$/.exec(pathname)?.[1];
  if (page !== undefined)
    return { kind: 'page', href: `/docs/${page.replace(/\/?README$/, '')}`.replace(/\/$/, '') + hash };
  return { kind: 'file', path: pathname.slice(1) };
}

/** The anchor that GitHub gives a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Returns a page without its front matter, the block between two lines `---` at its beginning. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n(?:[^\n]*\n){0,20}?---\n+/, '');
}
