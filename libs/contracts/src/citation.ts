import { z } from 'zod';

/** A quote from a section of a policy. */
export const quoteCitationSchema = z.strictObject({
  kind: z.literal('quote'),
  nodeId: z.string().min(1).max(64),
  quote: z.string().min(1).max(4_000),
  /** Page, if the section has pages. */
  page: z.number().int().min(1).optional(),
});

/**
 * The value of a fact, identified by its id, or by a name. With a name, any reading of the fact may support
 * the value.
 */
export const factCitationSchema = z.strictObject({
  kind: z.literal('fact'),
  /** Id or name of the fact. */
  fact: z.string().min(1).max(200),
  value: z.union([z.string().max(20_000), z.number(), z.boolean()]),
  unit: z.string().max(40).optional(),
});

/** The absence of a fact with this name, or of a section that answers this query. */
export const absenceCitationSchema = z.strictObject({
  kind: z.literal('absence'),
  of: z.enum(['fact', 'policy']),
  /** The name, or the search query. */
  asked: z.string().min(1).max(2_000),
});

/** A citation of a statement, as the model gave it and before it is verified. */
export const citationSchema = z.discriminatedUnion('kind', [
  quoteCitationSchema,
  factCitationSchema,
  absenceCitationSchema,
]);
export type Citation = z.infer<typeof citationSchema>;

/** Problems of a citation. */
export const CITATION_PROBLEMS = [
  'unknown_node',
  'wrong_page',
  'quote_too_short',
  'quote_altered',
  'quote_elsewhere',
  'quote_not_found',
  'unknown_fact',
  'other_value',
  'is_there',
  'never_looked_up',
  'look_up_failed',
] as const;
export type CitationProblem = (typeof CITATION_PROBLEMS)[number];

/**
 * `says_otherwise`: the cited source exists and states something else. `unproven`: nothing supports or
 * contradicts it.
 */
export const CITATION_STATES = ['verified', 'says_otherwise', 'does_not_exist', 'unproven'] as const;
export type CitationState = (typeof CITATION_STATES)[number];
