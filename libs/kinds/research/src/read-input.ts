import {
  fieldProblems,
  parseInput,
  SOURCE_MODES,
  z,
  type AlertInput,
  type FieldProblem,
  type FoundItem,
  type JsonObject,
  type SourceMode,
} from '@casefile/contracts';
import { plainText } from '@casefile/pipeline/plain-text';
import { questionLanguage } from './question-language.js';
import { itemIn, listIn, readItems } from './read-items.js';

const LONGEST_QUERY = 2_000;
const MOST_ITEMS = 100;
/** Fields of a payload that may contain search results. The first present one is used. */
const ITEMS = ['items', 'results', 'organic_results'];

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
    .array(z.unknown(), { error: 'expected a list of search results, or an object with it in `results`' })
    .max(MOST_ITEMS, { error: `expected at most ${MOST_ITEMS} items` })
    .optional(),
  temporalContext: temporalSchema.nullish(),
  clarify: z.boolean({ error: 'expected true or false' }).optional(),
});

/** Input of a research, as triage writes it to the brief. */
export const requestSchema = z.object({
  query: z.string(),
  mode: z.enum(SOURCE_MODES),
  language: z.enum(['zh', 'en']),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Number of supplied search results; 0: the search tool fetches them. */
  given: z.number().int(),
  /** The clarification asked for before the work began. Default: none. */
  clarified: z
    .object({
      /** The original question. */
      asked: z.string(),
      question: z.string(),
      /** The chosen interpretation; null: the question unchanged. */
      label: z.string().nullable(),
      /** Author of the choice; null: no answer in time. */
      by: z.string().nullable(),
      at: z.string().nullable(),
    })
    .optional(),
});
export type ResearchRequest = z.infer<typeof requestSchema>;

/** Returns the problems of an alert, by field. An empty list means that the alert is valid. */
export function requestProblems({ text = '', payload }: AlertInput): FieldProblem[] {
  if (payload === undefined)
    return text.trim() === '' ? [{ path: 'text', message: 'expected a question, or payload.query' }] : [];
  const read = payloadSchema.safeParse({
    ...(text.trim() === '' ? {} : { query: text }),
    ...withItems(payload),
  });
  if (!read.success)
    return fieldProblems(read.error).map(({ path, message }) => ({ path: `payload.${path}`, message }));
  return (read.data.items ?? []).flatMap((item, i) =>
    itemIn(item) === null
      ? [
          {
            path: `payload.items.${i}`,
            message:
              'expected an item with an http address: an object with url, link or href, or [url, schema_json, name, site]',
          },
        ]
      : [],
  );
}

/** Returns whether the run may ask for clarification. It never asks if the request names the days. */
export function isClarifiable({ payload }: AlertInput): boolean {
  return payload?.['clarify'] === true && (payload['temporalContext'] ?? null) === null;
}

/** Returns the request of an alert and its supplied search results, each URL once. */
export function readRequest({ text = '', payload }: AlertInput): {
  request: ResearchRequest;
  items: FoundItem[];
} {
  const given = payload ?? {};
  const read = parseInput(
    payloadSchema,
    { ...(text.trim() === '' ? {} : { query: text }), ...withItems(given) },
    'payload',
  );
  const query = plainText(read.query.trim());
  const items = readItems(read.items ?? []);
  return {
    request: {
      query,
      mode: read.sourceMode ?? ('discovery' satisfies SourceMode),
      language: questionLanguage(query),
      from: read.temporalContext?.from ?? null,
      to: read.temporalContext?.to ?? null,
      given: items.length,
    },
    items,
  };
}

/** Returns the payload with its search results as a list of items, from whichever field has them. */
function withItems(payload: JsonObject): JsonObject {
  const name = ITEMS.find((field) => payload[field] !== undefined && payload[field] !== null);
  const items = name === undefined ? null : listIn(payload[name]);
  if (name === undefined) return payload;
  return { ...payload, items: (items ?? payload[name]) as JsonObject[] };
}
