import { isObject, type FoundItem, type Json } from '@casefile/contracts';
import { firstCodePoints, inLine, plainText } from '../../../plain-text.js';
import { addressDomain } from '../tiers.js';

/** Longest text kept of one page, in code points. */
const TEXT_KEPT = 10_000;
const DESCRIPTION_KEPT = 1_000;

/**
 * Reads a search result as input reading 1 does: NLWeb's object or tuple, or Exa's result. Replays of old
 * runs need it, so it must not change.
 */
export function itemOfFirstReading(item: unknown): FoundItem | null {
  if (Array.isArray(item)) {
    const [url, schema, name, site] = item as unknown[];
    return made({ url, name, site }, schemaOf(schema));
  }
  if (!isObject(item)) return null;
  const given = item as Record<string, unknown>;
  return made(given, schemaOf(given['schema_object'] ?? given['schema_json']));
}

function schemaOf(schema: unknown): Record<string, unknown> {
  const read = typeof schema === 'string' ? parsedText(schema) : schema;
  const one: unknown = Array.isArray(read) ? (read as unknown[])[0] : read;
  return isObject(one) ? (one as Record<string, unknown>) : {};
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, 200_000));
  } catch {
    return undefined;
  }
}

function made(given: Record<string, unknown>, schema: Record<string, unknown>): FoundItem | null {
  const url = textIn(given['url'] ?? schema['url']);
  if (!/^https?:\/\/[^\s/]/i.test(url) || url.length > 2_048) return null;
  const highlights = Array.isArray(given['highlights']) ? (given['highlights'] as unknown[]).map(textIn) : [];
  const told = firstOf(
    given['description'],
    schema['description'],
    given['snippet'],
    highlights.join(' '),
    given['text'],
  );
  const name = inLine(firstOf(given['name'], given['title'], schema['headline'], schema['name']), 300);
  const body = [
    ...new Set(
      [
        schema['headline'],
        told,
        schema['description'],
        schema['articleBody'],
        schema['text'],
        given['text'],
        given['snippet'],
        ...highlights,
      ]
        .map(textIn)
        .filter((text) => text !== '' && text !== name),
    ),
  ];
  return {
    url,
    name,
    site: inLine(firstOf(given['site'], schemaPublisher(schema)) || urlSite(url), 200),
    description: firstCodePoints(told, DESCRIPTION_KEPT),
    text: firstCodePoints(
      body.filter((part) => !body.some((other) => other !== part && other.includes(part))).join('\n'),
      TEXT_KEPT,
    ),
    published: publishedOf(given, schema),
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? plainText(value.trim()) : '');
const firstOf = (...values: unknown[]): string => values.map(textIn).find((text) => text !== '') ?? '';

function schemaPublisher(schema: Record<string, unknown>): string {
  const { publisher } = schema;
  return typeof publisher === 'string'
    ? publisher
    : isObject(publisher)
      ? textIn((publisher as { name?: unknown }).name)
      : '';
}

function urlSite(url: string): string {
  return addressDomain(url) ?? new URL(url).host;
}

function publishedOf(given: Record<string, unknown>, schema: Record<string, unknown>): string | null {
  const said = firstOf(
    given['published'],
    given['publishedDate'],
    given['datePublished'],
    schema['datePublished'],
    schema['dateCreated'],
  );
  return said !== '' && !Number.isNaN(Date.parse(said)) ? said.slice(0, 64) : null;
}

/** Returns the results in a search tool's answer, as input reading 1 does. */
export function resultsOfFirstReading(result: Json): readonly unknown[] {
  if (Array.isArray(result)) return result;
  if (!isObject(result)) return [];
  const { results, items } = result as { results?: unknown; items?: unknown };
  return Array.isArray(results) ? results : Array.isArray(items) ? items : [];
}
