import { z, type CitableFact, type PolicySection } from '@casefile/contracts';

/** Words of a section. */
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

export const citationSchema = z.discriminatedUnion('kind', [
  quoteCitationSchema,
  factCitationSchema,
  absenceCitationSchema,
]);
export type Citation = z.infer<typeof citationSchema>;

/** A look-up that was made while the answer was worked out. */
export interface LookUp {
  of: 'fact' | 'policy';
  asked: string;
  /** Did it come off? One that failed proves nothing. */
  succeeded: boolean;
  /** How many it found. */
  found: number;
}

/** What citations are held against. */
export interface CitationGround {
  /** Every section that is cited, by node id: one that is not here does not exist in this version. */
  sections: ReadonlyMap<string, Pick<PolicySection, 'title' | 'text' | 'pages'>>;
  facts: readonly CitableFact[];
  lookUps: readonly LookUp[];
}

export type CitationProblem =
  | 'unknown_node'
  | 'wrong_page'
  | 'quote_too_short'
  | 'quote_altered'
  | 'quote_elsewhere'
  | 'quote_not_found'
  | 'unknown_fact'
  | 'other_value'
  | 'is_there'
  | 'never_looked_up'
  | 'look_up_failed';

/** `says_otherwise`: what is cited exists, and says something else. `unproven`: nothing speaks for or against it. */
export type CitationState = 'verified' | 'says_otherwise' | 'does_not_exist' | 'unproven';

export interface CitationFinding {
  citation: Citation;
  state: CitationState;
  /** null: verified. */
  problem: CitationProblem | null;
  /** What is there instead: the nearest passage, the fact's values, the sections that hold the quote. */
  instead: string[];
  /** Ids of the facts that bear it out. */
  facts: string[];
}
