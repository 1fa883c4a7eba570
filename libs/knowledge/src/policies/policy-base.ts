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

/** Characters of one section's text: a longer one is cut into parts when it is imported. */
export const MAX_SECTION_TEXT = 100_000;
/** Sections of one document. */
export const MAX_SECTIONS = 50_000;

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

/** A summary to be kept. */
export interface SectionSummary {
  nodeId: string;
  summary: string;
  /** The model that wrote it, as `provider/model`; null or absent: none did. */
  by?: string | null;
}

/** The knowledge base of policies: what is looked up in them, and how they come in. */
export interface PolicyBase extends PolicyDocuments {
  /**
   * All or nothing, and the version becomes the current one. A text that is on record already under this id is the
   * version it was; titles, language and sections count for that, summaries and the source's name do not.
   * @throws InvalidInput that names every wrong field (`sections[3].parentId`): a document without text, an id that
   * comes twice, a parent that is not before its child.
   */
  importPolicy(input: PolicyInput): Promise<PolicyImport>;
  /** The version that was made of exactly this file, when it is the current one. */
  policyOfSource(policyId: string, sourceDigest: string): Promise<PolicyVersion | null>;
  /**
   * Better summaries for sections of a version, for summaries make no version, and who wrote them. Ids that are not there
   * are left out. Returns how many were kept. @throws InvalidInput `[i].summary` when one is longer than 5,000 characters.
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
export function checkedSummaries(given: readonly SectionSummary[]): Required<SectionSummary>[] {
  const by = z.string().max(200).nullable().default(null);
  const schema = z.array(z.object({ nodeId: z.string(), summary, by })).max(MAX_SECTIONS);
  return parseInput(schema, [...given], 'summaries');
}

/** @throws InvalidInput that names every wrong field; ids, parents and an empty document among them. */
export function checkedPolicy(input: PolicyInput): PolicyInput {
  const checked = parseInput(policySchema, input, 'policy');
  const problems = [...treeProblems(checked), ...emptyProblems(checked)];
  if (problems.length > 0) throw new InvalidInput(problems, 'policy');
  return checked;
}

// A parent before its child: there is no way round in a circle.
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

/** SHA-256 of what makes a version: language, titles, tree, texts, and which of them are confidential. */
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
