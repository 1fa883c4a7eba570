import { z } from 'zod';

export const POLICY_FORMATS = ['markdown', 'html', 'text', 'pdf'] as const;
export type PolicyFormat = (typeof POLICY_FORMATS)[number];

/** Characters of one section's text: a longer one is cut into parts when it is imported. */
export const MAX_SECTION_TEXT = 100_000;
/** Sections of one document. */
export const MAX_SECTIONS = 50_000;

/** From and to, both counted from 1 and both within. */
export const spanSchema = z.object({ from: z.int(), to: z.int() });
export type Span = z.infer<typeof spanSchema>;

/** A section as the tree shows it: without its text. S4-10. */
export const policyNodeSchema = z.object({
  nodeId: z.string().describe('Stable within a version: `0001` and on, in the order of the document.'),
  parentId: z.string().nullable(),
  level: z.int().describe('1 for the outermost.'),
  title: z.string(),
  pages: spanSchema
    .nullable()
    .describe('Pages of the document, where it has pages; with sections below it: those of its own text.'),
  lines: spanSchema.nullable().describe('Lines of the source, where it is text.'),
  summary: z.string(),
  summaryBy: z
    .string()
    .nullable()
    .optional()
    .describe(
      'The model that wrote the summary, as `provider/model`; null or absent: extracted from the text.',
    ),
  characters: z.int().describe('Of its own text, without that of the sections below it.'),
  confidential: z
    .literal(true)
    .optional()
    .describe('Its words stay on the record: what leaves Casefile has its id and title alone. S4-15.'),
});
export type PolicyNode = z.infer<typeof policyNodeSchema>;

/** A section with its own text, without that of the sections below it. */
export const policySectionSchema = policyNodeSchema.extend({ text: z.string() });
export type PolicySection = z.infer<typeof policySectionSchema>;

/** A version of a policy without its sections. */
export const policyVersionSchema = z.object({
  policyId: z.string(),
  version: z.int().describe('From 1.'),
  title: z.string(),
  language: z.string().describe('BCP 47; `und` when it is not known. Says how words are looked up.'),
  format: z.enum(POLICY_FORMATS),
  source: z.string().describe('The name of the file it came from.'),
  pages: z.int().nullable().describe('Number of pages, where the document has pages.'),
  sections: z.int().describe('Number of sections.'),
  importedAt: z.string(),
});
export type PolicyVersion = z.infer<typeof policyVersionSchema>;

/** What an import hands in. */
export interface PolicyInput {
  /** Stable: another text under the same id is a new version of the same policy. */
  policyId: string;
  title: string;
  language: string;
  format: PolicyFormat;
  source: string;
  /** Of the file as it was read, in hex: the same file again need not be parsed again. */
  sourceDigest: string;
  pages: number | null;
  /** In the order of the document: a section stands after its parent. */
  sections: Omit<PolicySection, 'characters'>[];
}

export interface PolicyImport {
  policyId: string;
  version: number;
  /** `unchanged`: the current version says the same. `restored`: an earlier one does, and is the current one again. */
  outcome: 'new' | 'unchanged' | 'restored';
}

/** Which version of which policy. */
export interface PolicyKey {
  policyId: string;
  version: number;
}

/** A section that has words of a query; a higher rank is a better match, and ranks of one answer compare. */
export interface RankedNode {
  nodeId: string;
  rank: number;
}

/** A summary to be kept. */
export interface SectionSummary {
  nodeId: string;
  summary: string;
  /** The model that wrote it, as `provider/model`; null or absent: none did. */
  by?: string | null;
}

/** A sentence, table row or list item of a section, word for word. S4-12. */
export interface TextSpan {
  nodeId: string;
  text: string;
  /** UTF-16 offset in the section's text. */
  start: number;
  rank: number;
}

/** Policy documents: versions, trees of sections, and what can be looked up in them. S4-10, S4-12, S4-14. */
export interface PolicyDocuments {
  /**
   * All or nothing, and the version becomes the current one. A text that is on record already under this id is the
   * version it was; titles, language and sections count for that, summaries and the source's name do not.
   * @throws InvalidInput that names every wrong field (`sections[3].parentId`): a document without text, an id that
   * comes twice, a parent that is not before its child.
   */
  importPolicy(input: PolicyInput): Promise<PolicyImport>;
  /** The version that was made of exactly this file, when it is the current one. */
  policyOfSource(policyId: string, sourceDigest: string): Promise<PolicyVersion | null>;
  /** The current version of each, in the order of their ids. */
  listPolicies(): Promise<PolicyVersion[]>;
  /** This version, or the current one. */
  policyVersion(policyId: string, version?: number): Promise<PolicyVersion | null>;
  /** Its tree, in the order of the document; empty when there is no such version. */
  policyTree(key: PolicyKey): Promise<PolicyNode[]>;
  /** These sections with their texts, in the order of the document; ids that are not there are left out. */
  policySections(key: PolicyKey, nodeIds: readonly string[]): Promise<PolicySection[]>;
  /**
   * Better summaries for sections of a version, for summaries make no version, and who wrote them. Ids that are not there
   * are left out. Returns how many were kept. @throws InvalidInput `[i].summary` when one is longer than 5,000 characters.
   */
  saveSummaries(key: PolicyKey, summaries: readonly SectionSummary[]): Promise<number>;
  /** Sections with any word of the query, in the language of the document, the best first. */
  searchPolicy(key: PolicyKey, query: string, limit: number): Promise<RankedNode[]>;
  /** Spans of these sections with any word of the query, the best first; the query's own phrase above all. */
  findSpans(key: PolicyKey, nodeIds: readonly string[], query: string, limit: number): Promise<TextSpan[]>;
}
