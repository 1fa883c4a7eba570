import type { PolicyDocuments, PolicyKey, Span, TextSpan } from '@casefile/contracts';
import { unknownPolicy } from './search-policy-tree.js';

export interface SpanQuestion {
  policy: PolicyKey;
  nodeIds: readonly string[];
  query: string;
  limit: number;
}

export interface SpanAnswer {
  /** Word for word, as they may be quoted. */
  spans: (TextSpan & { pages: Span | null; confidential?: true })[];
  /** Ids that this version does not have. */
  unknownNodes: string[];
}

/** S4-12: the exact sentences, list items and table rows of given sections that speak of a query. @throws CasefileError `unknown_policy`. */
export async function tightenSpans(
  policies: PolicyDocuments,
  { policy, nodeIds, query, limit }: SpanQuestion,
): Promise<SpanAnswer> {
  const tree = new Map((await policies.policyTree(policy)).map((node) => [node.nodeId, node]));
  if (tree.size === 0) throw unknownPolicy(policy);
  const asked = [...new Set(nodeIds)];
  const known = asked.filter((id) => tree.has(id));
  const spans = known.length === 0 ? [] : await policies.findSpans(policy, known, query, limit);
  return {
    spans: spans.map((span) => {
      const { pages = null, confidential } = tree.get(span.nodeId) ?? {};
      return { ...span, pages, ...(confidential === true ? { confidential } : {}) };
    }),
    unknownNodes: asked.filter((id) => !tree.has(id)),
  };
}
