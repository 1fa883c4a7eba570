import { z, type PolicyDocuments, type Tool } from '@casefile/contracts';
import { limitsOf } from '../limits-of.js';
import { markOf } from '../policy/node-of.js';
import { neededPolicies, policyArgs } from '../policy/policy-args.js';
import { tightenSpans } from '../policy/tighten-spans.js';
import type { EvidenceSettings } from '../settings.js';

const NAME = 'spans_tighten';
const asks = z.strictObject({
  nodeIds: z.array(z.string().min(1).max(64)).min(1).max(20),
  query: z.string().trim().min(1).max(500),
  limit: z.number().int().min(1).max(20).default(5),
});
const args = asks.extend(policyArgs);

/**
 * S4-12: the exact words of given sections. Result `{ policyId, version, found, spans: [{ nodeId, pages, text, start }],
 * unknownNodes }`; no span is an answer.
 */
export function tightenPolicySpans(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Finds exact sentences of given sections.',
    locality: 'local',
    entityTypes: [],
    args,
    asks,
    limits: limitsOf(NAME, { timeoutMs: 10_000, attempts: 2, concurrency: 20 }, settings),
    async run(given, { signal }) {
      signal.throwIfAborted();
      const { nodeIds, query, limit, ...policy } = args.parse(given);
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
            ...markOf(confidential),
          })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}
