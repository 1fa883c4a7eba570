import type { Span } from '@casefile/contracts';

/** Most characters of a quote in a URL: servers and browsers limit the length of URLs. */
const QUOTE_CHARACTERS = 1_000;

/** Returns the URL of a version of a policy, of a section in it, or of words in the section. */
export function policyAddress(
  policy: { policyId: string; version: number | string },
  nodeId?: string,
  quote?: string,
): string {
  const search = new URLSearchParams();
  if (nodeId !== undefined) search.set('node', nodeId);
  if (quote !== undefined) search.set('quote', quote.slice(0, QUOTE_CHARACTERS));
  const end = search.size === 0 ? '' : `?${search.toString()}`;
  return `/policies/${encodeURIComponent(policy.policyId)}/versions/${policy.version}${end}`;
}

const OWN_ADDRESS = /^\/policies(?:\/[a-z0-9][a-z0-9_-]*\/versions\/(?:\d+|current))?(?:\?[^#\\\s]*)?$/;

/** Returns whether an untrusted URL points to a policy of this console and nowhere else. */
export function isPolicyAddress(address: string): boolean {
  return OWN_ADDRESS.test(address);
}

/** Returns `p. 3` or `pp. 3–4`, or '' if there are no page numbers. */
export function pagesText(pages: Span | null): string {
  return spanText(pages, 'p.', 'pp.');
}

/** Returns the place of a section in its document: pages, else lines, else ''. */
export function placeText({ pages, lines }: { pages: Span | null; lines: Span | null }): string {
  return pages === null ? spanText(lines, 'line', 'lines') : pagesText(pages);
}

function spanText(span: Span | null, one: string, many: string): string {
  if (span === null) return '';
  return span.from === span.to ? `${one} ${span.from}` : `${many} ${span.from}–${span.to}`;
}
