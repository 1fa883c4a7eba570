import { z } from 'zod';

/** Words of a section of a policy. */
export const quoteCitationSchema = z.strictObject({
  kind: z.literal('quote'),
  nodeId: z.string().min(1).max(64),
  quote: z.string().min(1).max(4_000),
  /** Where the section has pages. */
  page: z.number().int().min(1).optional(),
});

/** The value of a fact: by its id, or by a name that any of its readings may bear out. */
export const factCitationSchema = z.strictObject({
  kind: z.literal('fact'),
  /** Id or name. */
  fact: z.string().min(1).max(200),
  value: z.union([z.string().max(20_000), z.number(), z.boolean()]),
  unit: z.string().max(40).optional(),
});

/** That something is not there: a fact of this name, or a section that answers this query. */
export const absenceCitationSchema = z.strictObject({
  kind: z.literal('absence'),
  of: z.enum(['fact', 'policy']),
  /** The name, or the query that was looked up. */
  asked: z.string().min(1).max(2_000),
});

/** What a statement rests on, as it was given: whether it is so is for verification to say. S4-20. */
export const citationSchema = z.discriminatedUnion('kind', [
  quoteCitationSchema,
  factCitationSchema,
  absenceCitationSchema,
]);
export type Citation = z.infer<typeof citationSchema>;

/** What can be wrong with a citation. S4-21. */
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

/** `says_otherwise`: what is cited exists, and says something else. `unproven`: nothing speaks for or against it. */
export const CITATION_STATES = ['verified', 'says_otherwise', 'does_not_exist', 'unproven'] as const;
export type CitationState = (typeof CITATION_STATES)[number];
