import { isObject } from '@casefile/contracts';
import { plainText } from '@casefile/pipeline/plain-text';

/** A node of JSON-LD, or an object of a search result, by the names of schema.org without their prefix. */
export type Node = Record<string, unknown>;

const DEEPEST = 6;
const MOST_NODES = 200;
/** Longest text read, in UTF-16 units: several times the length kept of a page. */
const LONGEST_TEXT = 50_000;
const LONGEST_JSON = 1_000_000;
/** Keys under which further nodes stand. */
const HOLDERS = [
  '@graph',
  '@list',
  '@set',
  'mainEntity',
  'itemListElement',
  'item',
  'hasPart',
  'acceptedAnswer',
  'suggestedAnswer',
  'itemReviewed',
];
/** Types of nodes that describe the site and its people, and not the page. */
const ABOUT_THE_SITE =
  /^(?:Web ?Site|.*Organization|Corporation|Person|ImageObject|Breadcrumb.*|.*Action|EntryPoint|SiteNavigationElement|WPHeader|WPFooter)$/;
const ARTICLE = /(?:Article|Posting|Report|Review|Question|Answer)$/;
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/**
 * Returns the nodes of a schema, articles first. The schema is JSON or its text: one node, a list, or a
 * graph.
 */
export function schemaNodes(schema: unknown): Node[] {
  const found: Node[] = [];
  collect(typeof schema === 'string' ? parsedText(schema) : schema, found, 0);
  const organizations = found.filter(isAboutTheSite);
  const pages = found.filter((node) => !isAboutTheSite(node));
  const rank = (node: Node) => (nodeTypes(node).some((type) => ARTICLE.test(type)) ? 0 : 1);
  // Nodes about the site have no page text, but a publisher can be a reference to one of them.
  return [
    ...pages.toSorted((a, b) => rank(a) - rank(b)),
    ...organizations.map((node): Node => ({ 'site:id': node['@id'], 'site:name': node['name'] })),
  ];
}

function collect(value: unknown, found: Node[], depth: number): void {
  if (depth > DEEPEST || found.length >= MOST_NODES) return;
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) collect(one, found, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const node = Object.fromEntries(
    Object.entries(value as Node).map(([key, one]) => [
      key.replace(/^(?:schema:|https?:\/\/schema\.org\/)/, ''),
      one,
    ]),
  );
  if (Object.keys(node).some((key) => !key.startsWith('@'))) found.push(node);
  for (const key of HOLDERS) if (typeof node[key] === 'object') collect(node[key], found, depth + 1);
}

function nodeTypes(node: Node): string[] {
  return [node['@type']]
    .flat()
    .map((type) => textOf(type).replace(/^(?:schema:|https?:\/\/schema\.org\/)/, ''));
}

function isAboutTheSite(node: Node): boolean {
  return nodeTypes(node).some((type) => ABOUT_THE_SITE.test(type));
}

function parsedText(text: string): unknown {
  try {
    return text.length > LONGEST_JSON ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the text of a value: a string, a list of them, JSON-LD's `@value`, or texts by language. */
export function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return plainText(value.slice(0, LONGEST_TEXT).trim());
  if (depth > DEEPEST) return '';
  if (Array.isArray(value))
    return (value as unknown[])
      .slice(0, MOST_NODES)
      .map((one) => textOf(one, depth + 1))
      .filter((text) => text !== '')
      .join('\n');
  if (!isObject(value)) return '';
  const node = value as Node;
  const held = ['@value', '@list', '@set', 'text', 'value'].find((key) => key in node);
  if (held !== undefined) return textOf(node[held], depth + 1);
  const entries = Object.entries(node);
  const isByLanguage = entries.length > 0 && entries.every(([key]) => LANGUAGE_TAG.test(key));
  return isByLanguage && entries.every(([, one]) => typeof one === 'string')
    ? textOf(Object.values(node), depth + 1)
    : '';
}

/** Returns the first reading of a field that is not null, by name and then by node. */
export function firstValue<T>(
  nodes: readonly Node[],
  names: readonly string[],
  read: (value: unknown) => T | null,
): T | null {
  for (const node of nodes)
    for (const name of names) {
      const value = read(node[name]);
      if (value !== null) return value;
    }
  return null;
}

/** Returns the first text of these fields, or an empty text. */
export function firstText(nodes: readonly Node[], names: readonly string[]): string {
  return firstValue(nodes, names, (value) => textOf(value) || null) ?? '';
}

/** Returns the first `most` different texts of these fields. */
export function differentTexts(nodes: readonly Node[], names: readonly string[], most: number): string[] {
  const found = new Set<string>();
  for (const node of nodes)
    for (const name of names) {
      const text = textOf(node[name]);
      if (text !== '') found.add(text);
      if (found.size >= most) return [...found];
    }
  return [...found];
}

/** Returns the publisher's name, also if the publisher is a reference to another node. */
export function nodePublisher(nodes: readonly Node[]): string {
  const publishers = nodes.flatMap(({ publisher }) => (publisher === undefined ? [] : [publisher].flat()));
  const named = publishers.map((publisher) => {
    if (!isObject(publisher)) return textOf(publisher);
    const { name, '@id': id } = publisher as Node;
    const referred = nodes.find((node) => id !== undefined && node['site:id'] === id);
    return textOf(name) || textOf(referred?.['site:name']);
  });
  return named.find((name) => name !== '') ?? '';
}
