import { z } from 'zod';
import type { ImportCommand } from './import-command.js';

export const POLICY_FORMATS = ['markdown', 'html', 'text', 'pdf'] as const;
export type PolicyFormat = (typeof POLICY_FORMATS)[number];

/** From and to, counted from 1, both included. */
export const spanSchema = z.object({ from: z.int(), to: z.int() });
export type Span = z.infer<typeof spanSchema>;

/** A section of the tree, without its text. */
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

/** A section with its own text, without the text of its subsections. */
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

/** Identifies a version of a policy. */
export interface PolicyKey {
  policyId: string;
  version: number;
}

/**
 * A section that contains words of a query. A higher rank is a better match. Ranks are comparable within one
 * answer.
 */
export interface RankedNode {
  nodeId: string;
  rank: number;
}

/** A sentence, table row or list item of a section, verbatim. */
export interface TextSpan {
  nodeId: string;
  text: string;
  /** UTF-16 offset in the section's text. */
  start: number;
  rank: number;
}

/** Read access to policy documents: versions, section trees, and searches of their text. */
export interface PolicyDocuments {
  /** Returns the current version of each policy, in the order of the ids. */
  listPolicies(): Promise<PolicyVersion[]>;
  /** Returns this version, or the current one. */
  policyVersion(policyId: string, version?: number): Promise<PolicyVersion | null>;
  /** Returns the section tree, in the order of the document. Empty if there is no such version. */
  policyTree(key: PolicyKey): Promise<PolicyNode[]>;
  /** Returns these sections with their texts, in the order of the document. Unknown ids are ignored. */
  policySections(key: PolicyKey, nodeIds: readonly string[]): Promise<PolicySection[]>;
  /** Returns sections with any word of the query, in the language of the document, the best match first. */
  searchPolicy(key: PolicyKey, query: string, limit: number): Promise<RankedNode[]>;
  /**
   * Returns spans of these sections with any word of the query, the best match first. The exact phrase ranks
   * highest.
   */
  findSpans(key: PolicyKey, nodeIds: readonly string[], query: string, limit: number): Promise<TextSpan[]>;
}

export const POLICY_IMPORT: ImportCommand = {
  name: 'policy',
  description:
    'import policy documents: each as a whole or not at all; run again, it continues after the last one',
  argument: ['<path>', 'a file, or a folder of files: Markdown, HTML, plain text, PDF'],
  options: [
    { flags: '--id <id>', description: 'id of the policy; without it, the name of the file' },
    { flags: '--title <title>', description: 'title; without it, what the document says' },
    {
      flags: '--language <code>',
      description: 'language (BCP 47: en, de, hi); without it, what the document and its words say',
    },
    {
      flags: '--confidential <sections...>',
      description:
        'sections whose words stay on the record: titles, numbers (16.1) or ids, or all; in addition to those that the document marks',
    },
    {
      flags: '--format <format>',
      description: 'format; without it, what the name says',
      choices: POLICY_FORMATS,
    },
    {
      flags: '--summaries <by>',
      description: 'who writes summaries of the sections; without it, the model when one is configured',
      choices: ['model', 'extract'],
    },
  ],
  folder: ['.md', '.markdown', '.html', '.htm', '.xhtml', '.txt', '.text', '.pdf'],
  json: 'print one JSON object per document',
};
