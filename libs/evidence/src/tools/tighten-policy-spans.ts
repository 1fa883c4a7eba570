import {
  z,
  type PolicyDocuments,
  type Tool,
  type PolicyKey,
  type Span,
  type TextSpan,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';
import { confidentialMark, neededPolicies, policyArgs } from '../policy/policy-args.js';
import { unknownPolicy } from '../policy/search-policy-tree.js';

const NAME = 'spans_tighten';
const asks = z.strictObject({
  nodeIds: z.array(z.string().min(1).max(64)).min(1).max(20),
  query: z.string().trim().min(1).max(500),
  limit: z.number().int().min(1).max(20).default(5),
});
const args = asks.extend(policyArgs);

/**
 * The exact words of given sections. Result `{ policyId, version, found, spans: [{ nodeId, pages, text, start
 * }], unknownNodes }`; no span is an answer.
 */
export function tightenPolicySpans(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Finds exact sentences of given sections.',
    locality: 'local',
    reads: 'database',
    entityTypes: [],
    args,
    asks,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(input, { signal }) {
      signal.throwIfAborted();
      const { nodeIds, query, limit, ...policy } = args.parse(input);
      const { spans, unknownNodes } = await tightenSpans(neededPolicies(policies), {
        policy,
        nodeIds,
        query,
        limit,
      });
      return {
        result: {
          ...policy,
          found: spans.length,
          unknownNodes,
          spans: spans.map(({ nodeId, pages, text, start, confidential }) => ({
            nodeId,
            pages: pages && { ...pages },
            text,
            start,
            ...confidentialMark(confidential),
          })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}

interface SpanQuestion {
  policy: PolicyKey;
  nodeIds: readonly string[];
  query: string;
  limit: number;
}

interface SpanAnswer {
  /** Verbatim text, for quotes. */
  spans: (TextSpan & { pages: Span | null; confidential?: true })[];
  /** Ids that this version does not have. */
  unknownNodes: string[];
}

/**
 * Finds the exact sentences, list items and table rows of given sections that concern a query.
 * @throws CasefileError `unknown_policy`.
 */
export async function tightenSpans(
  policies: PolicyDocuments,
  { policy, nodeIds, query, limit }: SpanQuestion,
): Promise<SpanAnswer> {
  const tree = new Map((await policies.policyTree(policy)).map((node) => [node.nodeId, node]));
  if (tree.size === 0) throw unknownPolicy(policy);
  const wantedIds = [...new Set(nodeIds)];
  const known = wantedIds.filter((id) => tree.has(id));
  const spans = known.length === 0 ? [] : await policies.findSpans(policy, known, query, limit);
  return {
    spans: spans.map((span) => {
      const { pages = null, confidential } = tree.get(span.nodeId) ?? {};
      return { ...span, pages, ...(confidential === true ? { confidential } : {}) };
    }),
    unknownNodes: wantedIds.filter((id) => !tree.has(id)),
  };
}
