import {
  fieldProblems,
  isObject,
  parseInput,
  SOURCE_MODES,
  z,
  type AlertInput,
  type FieldProblem,
  type FoundItem,
  type Json,
  type SourceMode,
} from '@casefile/contracts';
import { firstCodePoints, inLine, plainText } from '../../plain-text.js';
import { domainOf } from './tiers.js';

const LONGEST_QUERY = 2_000;
const MOST_ITEMS = 100;
/** Of one page, in code points. */
const TEXT_KEPT = 10_000;
const DESCRIPTION_KEPT = 1_000;

const day = z
  .string({ error: 'expected a date such as 2026-03-02' })
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), {
    error: 'expected a date such as 2026-03-02',
  });

const temporalSchema = z.looseObject({ from: day.nullish(), to: day.nullish() });

const payloadSchema = z.looseObject({
  query: z
    .string({ error: 'expected the question' })
    .max(LONGEST_QUERY, { error: `expected at most ${LONGEST_QUERY} characters` })
    .refine((text) => text.trim() !== '', { error: 'expected a question that is not empty' }),
  sourceMode: z.enum(SOURCE_MODES, { error: `expected one of ${SOURCE_MODES.join(', ')}` }).optional(),
  items: z
    .array(z.unknown())
    .max(MOST_ITEMS, { error: `expected at most ${MOST_ITEMS} items` })
    .optional(),
  temporalContext: temporalSchema.nullish(),
  clarify: z.boolean({ error: 'expected true or false' }).optional(),
});

/** What a research works on, as triage puts it on the brief. */
export const requestSchema = z.object({
  query: z.string(),
  mode: z.enum(SOURCE_MODES),
  language: z.enum(['zh', 'en']),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Were search results handed in? Else the search tool fetches. */
  given: z.number().int(),
  /** What its asker was asked before the work began; absent: nothing. */
  clarified: z
    .object({
      /** The question as it came. */
      asked: z.string(),
      question: z.string(),
      /** The reading that was chosen; null: as it was asked. */
      label: z.string().nullable(),
      /** Who chose; null: nobody did in time. */
      by: z.string().nullable(),
      at: z.string().nullable(),
    })
    .optional(),
});
export type ResearchRequest = z.infer<typeof requestSchema>;

/** What is wrong with an alert, by field; none: it can be worked on. */
export function requestProblems({ text = '', payload }: AlertInput): FieldProblem[] {
  if (payload === undefined)
    return text.trim() === '' ? [{ path: 'text', message: 'expected a question, or payload.query' }] : [];
  const read = payloadSchema.safeParse({ ...(text.trim() === '' ? {} : { query: text }), ...payload });
  if (!read.success)
    return fieldProblems(read.error).map(({ path, message }) => ({ path: `payload.${path}`, message }));
  return (read.data.items ?? []).flatMap((item, i) =>
    itemIn(item) === null
      ? [
          {
            path: `payload.items.${i}`,
            message: 'expected an item with an http address: an object, or [url, schema_json, name, site]',
          },
        ]
      : [],
  );
}

/** May its asker be asked what it means? Where it names the days itself nobody is. S5-25. */
export function isClarifiable({ payload }: AlertInput): boolean {
  return payload?.['clarify'] === true && (payload['temporalContext'] ?? null) === null;
}

/** The request of an alert and the search results that came with it, each address once. S5-04. */
export function readRequest({ text = '', payload }: AlertInput): {
  request: ResearchRequest;
  items: FoundItem[];
} {
  const given = payload ?? {};
  const read = parseInput(
    payloadSchema,
    { ...(text.trim() === '' ? {} : { query: text }), ...given },
    'payload',
  );
  const query = plainText(read.query.trim());
  const items = readItems(read.items ?? []);
  return {
    request: {
      query,
      mode: read.sourceMode ?? ('discovery' satisfies SourceMode),
      language: /\p{Script=Han}/u.test(query) ? 'zh' : 'en',
      from: read.temporalContext?.from ?? null,
      to: read.temporalContext?.to ?? null,
      given: items.length,
    },
    items,
  };
}

/** Search results in any of their forms; what has no address is left out, and each address counts once. */
export function readItems(items: readonly unknown[]): FoundItem[] {
  const seen = new Set<string>();
  return items.flatMap((item) => {
    const read = itemIn(item);
    if (read === null || seen.has(addressOf(read.url))) return [];
    seen.add(addressOf(read.url));
    return [read];
  });
}

/** An address as addresses are compared: what comes behind `#`, a last slash and the case of the host make no other page. */
export function addressOf(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url);
    return `${protocol}//${host}${pathname.replace(/\/$/, '')}${search}`;
  } catch {
    return url.trim();
  }
}

/** NLWeb's object or tuple, or Exa's result. */
function itemIn(item: unknown): FoundItem | null {
  if (Array.isArray(item)) {
    const [url, schema, name, site] = item as unknown[];
    return made({ url, name, site }, schemaOf(schema));
  }
  if (!isObject(item)) return null;
  const given = item as Record<string, unknown>;
  return made(given, schemaOf(given['schema_object'] ?? given['schema_json']));
}

function schemaOf(schema: unknown): Record<string, unknown> {
  const read = typeof schema === 'string' ? parsed(schema) : schema;
  const one: unknown = Array.isArray(read) ? (read as unknown[])[0] : read;
  return isObject(one) ? (one as Record<string, unknown>) : {};
}

function parsed(text: string): unknown {
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
    site: inLine(firstOf(given['site'], publisherOf(schema)) || siteOf(url), 200),
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

function publisherOf(schema: Record<string, unknown>): string {
  const { publisher } = schema;
  return typeof publisher === 'string'
    ? publisher
    : isObject(publisher)
      ? textIn((publisher as { name?: unknown }).name)
      : '';
}

function siteOf(url: string): string {
  return domainOf(url) ?? new URL(url).host;
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

/** The items of a search tool's answer, in any of the forms that such answers have. */
export function resultsIn(result: Json): readonly unknown[] {
  if (Array.isArray(result)) return result;
  if (!isObject(result)) return [];
  const { results, items } = result as { results?: unknown; items?: unknown };
  return Array.isArray(results) ? results : Array.isArray(items) ? items : [];
}
