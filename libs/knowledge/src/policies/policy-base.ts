import { createHash } from 'node:crypto';
import {
  InvalidInput,
  parseInput,
  POLICY_FORMATS,
  z,
  type FieldProblem,
  type PolicyDocuments,
  type PolicyFormat,
  type PolicyKey,
  type PolicySection,
  type PolicyVersion,
} from '@casefile/contracts';

/** Most characters of one section's text; an import cuts longer sections into parts. */
export const MAX_SECTION_TEXT = 100_000;
/** Most sections of one document. */
export const MAX_SECTIONS = 50_000;

/** A policy to import. */
export interface PolicyInput {
  /** Stable: another text under the same id is a new version of the same policy. */
  policyId: string;
  title: string;
  language: string;
  format: PolicyFormat;
  source: string;
  /** Digest of the source file in hex, by which a repeated file is recognised without parsing. */
  sourceDigest: string;
  pages: number | null;
  /** In document order: a section comes after its parent. */
  sections: Omit<PolicySection, 'characters'>[];
}

export interface PolicyImport {
  policyId: string;
  version: number;
  /**
   * `unchanged`: the current version has the same content. `restored`: an earlier version has it and is
   * current again.
   */
  outcome: 'new' | 'unchanged' | 'restored';
}

/** A summary to save. */
export interface SectionSummary {
  nodeId: string;
  summary: string;
  /** The model that wrote it, as `provider/model`; null or absent: it was extracted. */
  by?: string | null;
}

/** The knowledge base of policies: queries and imports. */
export interface PolicyBase extends PolicyDocuments {
  /**
   * Imports a policy completely or not at all, and makes it the current version. If the same content is
   * already stored under this id, that version is reused. Titles, language and sections count as content;
   * summaries and the source's name do not.
   * @throws InvalidInput that names every wrong field (`sections[3].parentId`): a document without text, a
   * repeated id, a parent that does not come before its child.
   */
  importPolicy(input: PolicyInput): Promise<PolicyImport>;
  /** The current version, if it was made from exactly this file; else null. */
  policyOfSource(policyId: string, sourceDigest: string): Promise<PolicyVersion | null>;
  /**
   * Saves better summaries of a version's sections and their author. Summaries do not create a new version.
   * Unknown ids are ignored. Returns the number of saved summaries. @throws InvalidInput `[i].summary` if one
   * is longer than 5,000 characters.
   */
  saveSummaries(key: PolicyKey, summaries: readonly SectionSummary[]): Promise<number>;
}

const span = z
  .object({ from: z.number().int().min(1), to: z.number().int().min(1).max(2_147_483_647) })
  .refine(({ from, to }) => from <= to, 'expected from no greater than to');
const nodeId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected letters, digits, . _ and -');
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex');
const summary = z.string().max(5_000);
const section = z.object({
  nodeId,
  parentId: nodeId.nullable(),
  level: z.number().int().min(1).max(100),
  title: z.string().max(1_000),
  pages: span.nullable(),
  lines: span.nullable(),
  text: z.string().max(MAX_SECTION_TEXT),
  summary,
  confidential: z.literal(true).optional(),
});
const policySchema: z.ZodType<PolicyInput> = z.object({
  policyId: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'expected lower-case letters, digits, _ and - (at most 100)'),
  title: z.string().trim().min(1).max(1_000),
  language: z.string().regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'expected a language (BCP 47)'),
  format: z.enum(POLICY_FORMATS),
  source: z.string().min(1).max(1_000),
  sourceDigest: digest,
  pages: z.number().int().min(1).nullable(),
  sections: z.array(section).min(1).max(MAX_SECTIONS),
});

/** @throws InvalidInput that names every wrong summary. */
export function checkedSummaries(summaries: readonly SectionSummary[]): Required<SectionSummary>[] {
  const by = z.string().max(200).nullable().default(null);
  const schema = z.array(z.object({ nodeId: z.string(), summary, by })).max(MAX_SECTIONS);
  return parseInput(schema, [...summaries], 'summaries');
}

/** @throws InvalidInput that names every wrong field, including ids, parents and an empty document. */
export function checkedPolicy(input: PolicyInput): PolicyInput {
  const checked = parseInput(policySchema, input, 'policy');
  const problems = [...treeProblems(checked), ...emptyProblems(checked)];
  if (problems.length > 0) throw new InvalidInput(problems, 'policy');
  return checked;
}

// Each parent must come before its child, which excludes cycles.
function treeProblems({ sections }: PolicyInput): FieldProblem[] {
  const levels = new Map<string, number>();
  return sections.flatMap(({ nodeId: id, parentId, level }, i): FieldProblem[] => {
    const problems: FieldProblem[] = [];
    if (levels.has(id))
      problems.push({ path: `sections[${i}].nodeId`, message: 'is the id of another section' });
    const parentLevel = parentId === null ? 0 : levels.get(parentId);
    if (parentLevel === undefined)
      problems.push({ path: `sections[${i}].parentId`, message: 'expected the id of a section before it' });
    else if (level <= parentLevel)
      problems.push({ path: `sections[${i}].level`, message: 'expected a level below that of its parent' });
    levels.set(id, level);
    return problems;
  });
}

function emptyProblems({ sections }: PolicyInput): FieldProblem[] {
  const hasText = sections.some(({ text }) => text.trim() !== '');
  return hasText ? [] : [{ path: 'sections', message: 'expected a text in one section at least' }];
}

/** SHA-256 of a version's content: language, titles, tree, texts, and the confidential marks. */
export function digestOfPolicy({ language, title, sections }: PolicyInput): string {
  const content = sections.map(
    ({ nodeId: id, parentId, level, title: heading, text, pages, confidential }) => [
      id,
      parentId,
      level,
      heading,
      text,
      pages?.from ?? null,
      pages?.to ?? null,
      ...(confidential === true ? ['confidential'] : []),
    ],
  );
  return createHash('sha256')
    .update(JSON.stringify([language, title, content]))
    .digest('hex');
}
