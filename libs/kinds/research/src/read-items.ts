import { firstCharacters, isObject, type FoundItem } from '@casefile/contracts';
import { firstCodePoints, inLine } from '@casefile/pipeline/plain-text';
import {
  differentTexts,
  firstText,
  firstValue,
  schemaNodes,
  nodePublisher,
  textOf,
  type Node,
} from './linked-data.js';
import { addressDomain } from './tiers.js';

/** Longest text kept of one page, in code points. */
const TEXT_KEPT = 10_000;
const DESCRIPTION_KEPT = 1_000;
const DEEPEST = 4;
/**
 * Most texts of one result. Each is compared with all others, because senders repeat them in several fields.
 */
const MOST_TEXTS = 20;

/** Splits lists written as texts, because a table of names is easier to read without quotation marks. */
const words = (...lists: string[]): string[] => lists.flatMap((list) => list.split(' '));

/** Names that search engines, agents and JSON-LD give to the fields of a result, the preferred name first. */
const FIELDS = {
  url: words('url href link uri source_url sourceURL @id mainEntityOfPage source id'),
  name: ['name', 'title', 'headline'],
  description: words(
    'description abstract snippet snippets highlights summary content text body extra_snippets',
    'claimReviewed reviewBody',
  ),
  text: words(
    'articleBody reviewBody claimReviewed text raw_content rawContent content markdown',
    'page_content pageContent body summary abstract snippet snippets extra_snippets highlights',
    'transcript description html',
  ),
  published: words(
    'published publishedDate published_date publishedAt datePublished date_published page_age',
    'pubDate date dateCreated',
  ),
};
/** Fields of a result that hold the rest of its fields: LangChain, Firecrawl. */
const NESTED = ['metadata', 'document'];
const SCHEMAS = ['schema_object', 'schema_json'];
/** Fields that hold a list of results, or an object with that list. */
const LISTS = words(
  'results items organic_results news_results organic news itemListElement webPages web value',
  'data hits documents sources content',
);

/**
 * Reads search results in any supported form. A result without a URL is excluded, and each URL counts once. A
 * result without a text has an empty `text`.
 */
export function readItems(items: readonly unknown[]): FoundItem[] {
  const seen = new Set<string>();
  return items.flatMap((item) => {
    const read = itemIn(item);
    if (read === null || seen.has(urlAddress(read.url))) return [];
    seen.add(urlAddress(read.url));
    return [read];
  });
}

/**
 * Returns the list of results that a value is or contains, one item per result; null: it contains none. The value is
 * the answer of a search tool, or the `items` of a request.
 */
export function listIn(value: unknown, depth = 0): unknown[] | null {
  if (depth > DEEPEST) return null;
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((one) => (isTuple(one) ? [one] : (listIn(one, depth + 1) ?? [one])));
  if (!isObject(value) || urlIn([value as Node]) !== null) return null;
  const fields = value as Record<string, unknown>;
  const lists = LISTS.flatMap((name) => {
    const list = typeof fields[name] === 'object' ? listIn(fields[name], depth + 1) : null;
    return list === null ? [] : [list];
  });
  return lists.length === 0 ? null : lists.flat();
}

/**
 * Returns the form in which URLs are compared: without fragment and final slash, with the host in lower case.
 */
export function urlAddress(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url);
    return `${protocol}//${host}${pathname.replace(/\/$/, '')}${search}`;
  } catch {
    return url.trim();
  }
}

const isTuple = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'string';

/**
 * Returns the result of one item: an object, or NLWeb's tuple `[url, schema_json, name, site]`; null if it
 * has no URL.
 */
export function itemIn(item: unknown): FoundItem | null {
  if (Array.isArray(item)) {
    const [url, schema, name, site] = item as unknown[];
    return foundItem([{ url, name, site }, ...schemaNodes(schema)]);
  }
  if (!isObject(item)) return null;
  const given = item as Node;
  const nested = NESTED.flatMap((name) => (isObject(given[name]) ? [given[name] as Node] : []));
  const isLinkedData = ['@type', '@graph', '@context'].some((key) => key in given);
  const own = isLinkedData ? schemaNodes(given) : [given];
  return foundItem([
    ...(own.length === 0 ? [given] : own),
    ...nested,
    ...SCHEMAS.flatMap((name) => schemaNodes(given[name])),
  ]);
}

function foundItem(nodes: readonly Node[]): FoundItem | null {
  const url = urlIn(nodes);
  if (url === null) return null;
  const name = inLine(firstText(nodes, FIELDS.name), 300);
  // One character more than the limit is kept, to show that a text is longer. Some engines repeat a part of
  // `raw_content` as `content`.
  const texts = [
    firstText(nodes, ['headline']),
    firstText(nodes, FIELDS.description),
    ...differentTexts(nodes, FIELDS.text, MOST_TEXTS),
  ].map((text) => firstCharacters(text, TEXT_KEPT + 1));
  const parts = [...new Set(texts)].filter((text) => text !== '' && inLine(text) !== name);
  const description = parts.length === 0 ? '' : firstText(nodes, FIELDS.description);
  return {
    url,
    name,
    site: inLine(
      firstText(nodes, ['site']) || nodePublisher(nodes) || (addressDomain(url) ?? new URL(url).host),
      200,
    ),
    description: firstCodePoints(description, DESCRIPTION_KEPT),
    text: firstCodePoints(
      parts.filter((part) => !parts.some((other) => other !== part && other.includes(part))).join('\n'),
      TEXT_KEPT,
    ),
    published: firstValue(nodes, FIELDS.published, publishedDay),
  };
}

function urlIn(nodes: readonly Node[]): string | null {
  return firstValue(nodes, FIELDS.url, (value) => {
    const url = isObject(value) ? textOf((value as Node)['@id'] ?? (value as Node)['url']) : textOf(value);
    return /^https?:\/\/[^\s/]/i.test(url) && url.length <= 2_048 && URL.canParse(url) ? url : null;
  });
}

const ISO = /^\d{4}(?:-\d{2}|$)/;
/**
 * Matches a month by name and a year, perhaps with a time and zone: `12 Mar 2026`, `Mar 12, 2026`, `Thu, 12
 * Mar 2026 08:00:00 GMT`.
 */
const WRITTEN =
  /^(?:[A-Z][a-z]{2,8},? )?(?:\d{1,2} [A-Z][a-z]{2,8}\.?|[A-Z][a-z]{2,8}\.? \d{1,2},?) \d{4}(?<time> \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|Z|[+-]\d{4}))?$/;

/** Returns the day of a result in ISO form, or null: `3 days ago` depends on when it was written. */
function publishedDay(value: unknown): string | null {
  const text = textOf(value).slice(0, 64);
  if (ISO.test(text)) return Number.isNaN(Date.parse(text)) ? null : text;
  const written = WRITTEN.exec(text);
  if (written === null) return null;
  const at = Date.parse(written.groups?.['time'] === undefined ? `${text} UTC` : text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
