import type { Span } from '@casefile/contracts';

/** Characters of a quote that an address carries: servers and browsers bound the length of one. */
const QUOTE_CHARACTERS = 1_000;

/** The address of a version of a policy, of a section in it, and of words in that. */
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

/** Does an address that somebody else wrote lead to a policy here, and nowhere else? */
export function isPolicyAddress(address: string): boolean {
  return OWN_ADDRESS.test(address);
}

/** `p. 3`, `pp. 3–4`; '' where there are no pages. */
export function pagesText(pages: Span | null): string {
  return spanText(pages, 'p.', 'pp.');
}

/** Where a section is in its document: pages, else lines; '' where neither is known. */
export function placeText({ pages, lines }: { pages: Span | null; lines: Span | null }): string {
  return pages === null ? spanText(lines, 'line', 'lines') : pagesText(pages);
}

function spanText(span: Span | null, one: string, many: string): string {
  if (span === null) return '';
  return span.from === span.to ? `${one} ${span.from}` : `${many} ${span.from}–${span.to}`;
}
