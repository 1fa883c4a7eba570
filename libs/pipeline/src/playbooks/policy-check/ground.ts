import {
  CasefileError,
  z,
  type Citation,
  type CitableFact,
  type PolicySection,
  type ToolCall,
  reasonCodeOf,
} from '@casefile/contracts';
import { askTools } from '../../ask-tools.js';
import type { CitationGround, LookUp } from '../../citations/index.js';
import type { StagePorts } from '../../stage-ports.js';
import type { CheckedBundle } from './case-bundle.js';

/** What a citation is held against of a section. */
export type GroundSection = Pick<PolicySection, 'title' | 'text' | 'pages' | 'confidential'>;

const pages = z.object({ from: z.number(), to: z.number() }).nullable();
const sectionsSchema = z.object({
  sections: z.array(
    z.object({
      ...{ nodeId: z.string(), title: z.string(), pages, text: z.string() },
      confidential: z.literal(true).optional(),
    }),
  ),
});
const foundSchema = z.object({ found: z.number() });

/** Of those that were shown besides. */
const MOST_SHOWN = 100;
/** Sections of one look-up: four of the longest, in any script, stay under what the result of a tool may hold. */
const AT_ONCE = 4;
/** Local: it is answered at once. */
const TIMEOUT_MS = 30_000;

/**
 * Reads the whole text of every section that is cited, and of those that were shown besides, so that a quote that stands
 * elsewhere is told from one that stands nowhere.
 * @param turn one that the loop does not use.
 * @throws CasefileError when a cited section cannot be read: nothing can be said of a quote then.
 */
export async function sectionsOf(
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

/** Everything that citations are held against. */
export function groundOf(
  sections: ReadonlyMap<string, GroundSection>,
  facts: readonly CitableFact[],
  calls: readonly ToolCall[],
): CitationGround {
  return { sections, facts, lookUps: calls.flatMap(lookUpOf) };
}

/** The look-ups among tool calls: what was asked for, and how much there was. */
export function lookUpOf({ tool, args, state, result }: ToolCall): LookUp[] {
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
