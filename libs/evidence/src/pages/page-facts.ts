import { visibleText } from './page-text.js';
import type { PageDocument } from './dom.js';

/** Statements of a page about itself. */
export interface PageFacts {
  /** Empty: it has none. */
  title: string;
  author: string | null;
  /** As stated. Readers check its form. */
  published: string | null;
  /** BCP 47, as stated. */
  language: string | null;
  /** Canonical address, if it is on the same host: otherwise a page could take the name of another site. */
  canonical: string | null;
  site: string | null;
}

// Not from contracts, whose modules would take most of the time of the process that parses a page.
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST_VALUE = 300;
const DATES = [
  'meta[property="article:published_time"]',
  'meta[itemprop="datePublished"]',
  'meta[name="date"]',
  'meta[name="dc.date"]',
  'meta[name="DC.date.issued"]',
  'meta[name="dcterms.date"]',
  'meta[name="citation_publication_date"]',
  'meta[name="pubdate"]',
];

/** Reads the statements of a page in its head, its linked data and its first `<time>`. */
export function pageFacts(document: PageDocument, url: string): PageFacts {
  const data = linkedData(document);
  const meta = (selector: string) => clean(document.querySelector(selector)?.getAttribute('content'));
  const firstOf = (selectors: readonly string[]) =>
    selectors.map(meta).find((value) => value !== null) ?? null;
  return {
    title:
      firstOf(['meta[property="og:title"]']) ?? clean(document.querySelector('title')?.textContent) ?? '',
    author: firstOf(['meta[name="author"]']) ?? named(data['author']),
    published:
      clean(data['datePublished']) ??
      firstOf(DATES) ??
      clean(document.querySelector('article time[datetime], time[datetime]')?.getAttribute('datetime')),
    language: languageTag(document.documentElement.getAttribute('lang')),
    canonical: canonicalAddress(document, url),
    site: firstOf(['meta[property="og:site_name"]']),
  };
}

function canonicalAddress(document: PageDocument, url: string): string | null {
  const href = document.querySelector('link[rel="canonical"]')?.getAttribute('href') ?? '';
  if (href === '' || !URL.canParse(href, url)) return null;
  const address = new URL(href, url);
  address.hash = '';
  return address.host === new URL(url).host && address.href.length <= 2_048 ? address.href : null;
}

const languageTag = (tag: string | null): string | null =>
  tag !== null && /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/.test(tag.trim())
    ? tag.trim().replaceAll('_', '-')
    : null;

function clean(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.slice(0, 2_000).replace(/\s+/g, ' ').trim().slice(0, MOST_VALUE) || null;
}

function named(value: unknown): string | null {
  const [first] = [value].flat();
  return isObject(first) ? clean(first['name']) : clean(first);
}

const MOST_SCRIPTS = 10;
const MOST_SCRIPT = 500_000;

/** The first node of the page's linked data that is an article, or has a date. */
function linkedData(document: PageDocument): Record<string, unknown> {
  for (const script of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(
    0,
    MOST_SCRIPTS,
  )) {
    const text = script.textContent ?? '';
    if (text.length > MOST_SCRIPT) continue;
    const nodes = [parsed(text)].flat().flatMap((node) => {
      const graph = isObject(node) ? node['@graph'] : undefined;
      return Array.isArray(graph) ? (graph as unknown[]) : [node];
    });
    const article = nodes.filter(isObject).find((node) => 'datePublished' in node);
    if (article !== undefined) return article;
  }
  return {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Names of elements that hold a note on the article. */
const NOTE =
  /retract|withdraw|correct(?:ion|ed)|corrigend|errat|disclaimer|satir|editor.?note|notice|alert|warning/i;
const MOST_NOTICES = 8;
const MOST_NOTICE = 400;

/**
 * Returns the short notes of a page on itself, which a reader of the main text would drop: elements named so, and
 * what its linked data states.
 */
export function pageNotices(document: PageDocument): string[] {
  const notices = new Set<string>(statedNotices(linkedData(document)));
  for (const element of document.querySelectorAll('[class],[id],[role]')) {
    if (notices.size >= MOST_NOTICES) break;
    const names = ['class', 'id', 'role'].map((name) => (element.getAttribute(name) ?? '').slice(0, 200));
    if (/^(?:HTML|BODY|MAIN|ARTICLE)$/i.test(element.tagName) || !NOTE.test(names.join(' '))) continue;
    const text = visibleText(element, MOST_NOTICE + 1).replace(/\s+/g, ' ');
    if (text.length >= 8 && text.length <= MOST_NOTICE) notices.add(text);
  }
  return [...notices];
}

function statedNotices(data: Record<string, unknown>): string[] {
  const types = [data['@type']].flat().map(String);
  const status = clean(data['creativeWorkStatus']) ?? '';
  return [
    ...(types.some((type) => /satir/i.test(type)) ? ['This article is satire.'] : []),
    ...(/retract|withdrawn/i.test(status) ? ['This article has been retracted.'] : []),
  ];
}
