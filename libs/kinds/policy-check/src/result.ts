import {
  type Citation,
  type CriterionResult,
  type CriterionStatus,
  type VerifiedCitation,
  z,
  type Json,
  CasefileError,
  type CitableFact,
  type PolicySection,
  type ToolCall,
  reasonCodeOf,
} from '@casefile/contracts';
import {
  settledAnswer,
  verifyCitations,
  type CitationFinding,
  type CitationGround,
  type LookUp,
} from './citations/verify-citations.js';
import { askTools } from '@casefile/pipeline/ask-tools';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import type { CheckedBundle } from './case-bundle.js';

/** A model's answer before its citations are verified. */
interface UnverifiedAnswer {
  status: CriterionStatus;
  confidence: number;
  rationale: string;
  citations: readonly Citation[];
}

interface SettledAnswer {
  result: Pick<CriterionResult, 'status' | 'confidence' | 'rationale' | 'citations' | 'refuted' | 'claimed'>;
  reasonCode: 'low_confidence' | null;
  findings: CitationFinding[];
}

/**
 * Returns an answer after its citations were verified. Failed citations are listed and lower the confidence
 * (S4-21, S4-22).
 */
export function settledResult(
  { status, confidence, rationale, citations }: UnverifiedAnswer,
  ground: CitationGround,
  rules: { capByShare: boolean; abstainBelow: number },
): SettledAnswer {
  const { findings, refuted, share } = verifyCitations(citations, ground);
  const { reasonCode, ...answer } = settledAnswer({ status, confidence }, { share, ...rules });
  const same = status === answer.status && confidence === answer.confidence;
  return {
    reasonCode,
    findings,
    result: {
      ...answer,
      rationale,
      claimed: same ? null : { status, confidence },
      citations: findings.flatMap((finding) => verifiedOf(finding, ground)),
      refuted: refuted.flatMap(({ citation, state, problem, instead }) =>
        problem === null ? [] : [{ citation, state, problem, instead }],
      ),
    },
  };
}

function verifiedOf(
  { citation, problem, facts }: CitationFinding,
  { sections }: CitationGround,
): VerifiedCitation[] {
  if (problem !== null) return [];
  if (citation.kind === 'absence') return [citation];
  if (citation.kind === 'fact') return [{ ...citation, factIds: facts }];
  const { title = '', pages = null, confidential } = sections.get(citation.nodeId) ?? {};
  return [{ ...citation, title, pages, ...(confidential === true ? { confidential } : {}) }];
}

/** A section whose words must not leave the record. */
interface Confidential {
  nodeId: string;
  title: string;
  text: string;
}

const shown = z.object({
  nodeId: z.string(),
  title: z.string().default(''),
  text: z.string(),
  confidential: z.literal(true),
});
const listed = z.object({
  nodes: z.array(z.unknown()).default([]),
  sections: z.array(z.unknown()).default([]),
  spans: z.array(z.unknown()).default([]),
});
/** Number of consecutive words that count as words of a section. */
const RUN = 4;
const WITHHELD = '[words of a confidential section]';

/**
 * Returns texts that replace the words of a result outside Casefile if confidential sections were read; empty
 * if none was read. The record keeps the result unchanged (S4-15).
 * @param results results of the look-ups
 * @param sections sections that were read in full
 */
export function withheldOf(
  { rationale }: Pick<CriterionResult, 'rationale'>,
  results: readonly Json[],
  sections: ReadonlyMap<string, GroundSection> = new Map(),
): Pick<CriterionResult, 'withheld'> {
  const whole = [...sections].flatMap(([nodeId, { title, text, confidential }]) =>
    confidential === true ? [{ nodeId, title, text }] : [],
  );
  const all = [...whole, ...results.flatMap(confidentialIn)];
  if (all.length === 0) return {};
  const nodeIds = [...new Set(all.map(({ nodeId }) => nodeId))].sort();
  return { withheld: { nodeIds, rationale: withoutWordsOf(rationale, all) } };
}

function confidentialIn(result: Json): Confidential[] {
  const read = listed.safeParse(result);
  if (!read.success) return [];
  const { nodes, sections, spans } = read.data;
  return [...nodes, ...sections, ...spans].flatMap((one) => {
    const found = shown.safeParse(one);
    return found.success ? [found.data] : [];
  });
}

/** Removes sequences of words that a confidential section contains, ignoring case, blanks and signs. */
function withoutWordsOf(text: string, sections: readonly Confidential[]): string {
  const runs = new Set(sections.flatMap((section) => wordRuns(wordsIn(section.text))));
  const words = wordsIn(text);
  const hidden = new Set(
    wordRuns(words).flatMap((run, i) =>
      runs.has(run) ? Array.from({ length: RUN }, (_none, k) => i + k) : [],
    ),
  );
  let out = '';
  let at = 0;
  for (const [i, { from, to }] of words.entries()) {
    if (!hidden.has(i)) continue;
    if (!hidden.has(i - 1)) out += `${text.slice(at, from)}${WITHHELD}`;
    at = to;
  }
  return out + text.slice(at);
}

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));

const wordRuns = (words: readonly { word: string }[]): string[] =>
  Array.from({ length: Math.max(0, words.length - RUN + 1) }, (_none, i) =>
    words
      .slice(i, i + RUN)
      .map(({ word }) => word)
      .join(' '),
  );

/** Parts of a section that a citation is compared with. */
export type GroundSection = Pick<PolicySection, 'title' | 'text' | 'pages' | 'confidential'>;

const pages = z.object({ from: z.number(), to: z.number() }).nullable();
const sectionsSchema = z.object({
  sections: z.array(
    z.object({
      nodeId: z.string(),
      title: z.string(),
      pages,
      text: z.string(),
      confidential: z.literal(true).optional(),
    }),
  ),
});
const foundSchema = z.object({ found: z.number() });

/** Maximum number of sections that were shown but not cited. */
const MOST_SHOWN = 100;
/** Number of sections of one look-up. Four of the longest, in any script, fit into the result of a tool. */
const AT_ONCE = 4;
/** Time limit in milliseconds. The tool is local and answers immediately. */
const TIMEOUT_MS = 30_000;

/**
 * Reads the full text of every cited section, and of sections that were shown. The latter show whether a
 * wrong quote occurs elsewhere in the policy.
 * @param turn a turn that the loop does not use
 * @throws CasefileError if a cited section cannot be read, because its quotes cannot be verified then.
 */
export async function citationSections(
  citations: readonly Citation[],
  calls: readonly ToolCall[],
  { policy }: CheckedBundle,
  ports: StagePorts,
  turn: number,
): Promise<Map<string, GroundSection>> {
  const cited = unique(citations.flatMap((citation) => (citation.kind === 'quote' ? [citation.nodeId] : [])));
  if (cited.length === 0) return new Map();
  const shown = unique(calls.flatMap(shownNodes)).filter((id) => !cited.includes(id));
  const { policyId, version } = policy;
  const groups = inGroups(cited);
  const requests = [...groups, ...inGroups(shown.slice(0, MOST_SHOWN))].map((nodeIds) => ({
    tool: 'sections_get',
    args: { policyId, version, nodeIds },
  }));
  const asked = await askTools(turn, requests, ports, TIMEOUT_MS);
  const read = 'calls' in asked ? asked.calls : [];
  if (read.length === 0) throw unread(undefined);
  const failed = read.slice(0, groups.length).find(({ state }) => state !== 'succeeded');
  if (failed !== undefined) throw unread(failed);
  const found = read.flatMap(({ result }) => sectionsSchema.safeParse(result).data?.sections ?? []);
  return new Map(found.map((section) => [section.nodeId, section]));
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

function inGroups(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_none, i) =>
    ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
}

function unread(call: ToolCall | undefined): CasefileError {
  const why = call?.message ?? 'sections cannot be read';
  return new CasefileError(reasonCodeOf(call?.reasonCode ?? 'tool_timeout'), why, { retryable: true });
}

/** Returns everything that citations are compared with. */
export function sectionGround(
  sections: ReadonlyMap<string, GroundSection>,
  facts: readonly CitableFact[],
  calls: readonly ToolCall[],
): CitationGround {
  return { sections, facts, lookUps: calls.flatMap(toolCallLookUp) };
}

/** Returns the look-ups among tool calls: what was requested, and the number of results. */
export function toolCallLookUp({ tool, args, state, result }: ToolCall): LookUp[] {
  const asked = tool === 'facts_get' ? args['name'] : tool === 'pi_search' ? args['query'] : undefined;
  if (typeof asked !== 'string') return [];
  const found = foundSchema.safeParse(result);
  const of = tool === 'facts_get' ? 'fact' : 'policy';
  return [{ of, asked, succeeded: state === 'succeeded' && found.success, found: found.data?.found ?? 0 }];
}

function shownNodes({ tool, result }: ToolCall): string[] {
  if (tool !== 'pi_search') return [];
  const read = z.object({ nodes: z.array(z.object({ nodeId: z.string() })) }).safeParse(result);
  return read.data?.nodes.map(({ nodeId }) => nodeId) ?? [];
}
